/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How gets wait for messages, as a model for spin. What it shows and how to run
 * it: Documentation/waiting.md. The code: module/wait.c, take.c, get.c, conn.c,
 * notify.c; names in comments are those of functions there.
 *
 * One of GETS, BREAK and SIGNALS says who takes part. With PASSES a put may hand
 * its message over without its being visible. The other macros, all named
 * MISTAKE_*, plant one mistake each.
 *
 * Whatever another processor can see is a step of its own. Two accesses that the
 * code keeps in order by a barrier are two steps in that order; without the
 * barrier, in either order: REORDER(). What is looked at under the lock of the
 * queue only is done in one step with taking it.
 */

#ifdef MISTAKE_PASS_WITHOUT_TASK_REF
#define PASSES
#endif

#define REORDER(first, second)			\
	if					\
	:: first; second			\
	:: second; first			\
	fi

/* Waiters. All but the last are gets that sleep. */
#define GENERAL		0	/* takes any message */
#define SPECIFIC	1	/* takes one that has its identifier */
#define MORTAL		2	/* takes any; its time ends, it is killed */
#define BROWSER		3	/* looks at any */
#define GETTERS		4
#define SIGNAL		4	/* takes nothing, is posted */
#define WAITERS		5
#define EVERYBODY	31

#ifdef SIGNALS
#define MSGS		3
#else
#define MSGS		2
#endif
#define NONE		MSGS

/* Only message 1 does not have the identifier. */
#define WANTS(w, m)	((w) != SPECIFIC || (m) != 1)

/* enum kmq_waiter_state */
#define WAITING		0
#define SERVED		1
#define RETRY		2
#define CANCELED	3

/* A message: not put yet, in the store, taken off it, with the program */
#define UNBORN		0
#define VISIBLE		1
#define TAKEN		2
#define GOT		3

/* State of a task */
#define RUNNING		0
#define SLEEPING	1

/* kmq_handle.signal_status */
#define OUTSTANDING	1
#define ARRIVED		2
#define EXPIRED		3

bit queue_lock;

byte msg_state[MSGS];
byte msg_refs[MSGS];
byte msg_got[MSGS];		/* how often a program got it */

/* struct kmq_waiter, on the stack of its getter */
bit alive[WAITERS];		/* there is such a thing */
bit listed[WAITERS];		/* it stands at the queue */
byte state[WAITERS];
byte taken[WAITERS];		/* what was taken for it */

/* struct task_struct of getters */
bit task[GETTERS];		/* RUNNING, SLEEPING */
bit finished[GETTERS];		/* the task has ended */
byte task_refs[GETTERS];	/* held by others */

bit room;			/* SPECIFIC has room for its message */

/* What may happen to MORTAL */
bit is_late;
bit is_killed;
bit broken;			/* its connection */
bit waiting_at;
bit call_lock;

/* struct kmq_signal, its handle, its timer, who polls for it */
bit signal_freed;
bit handle_signal;
byte signal_status;
byte posts;
bit timer_pending, timer_running;
bit poll_waits, poll_woken;

/* Who is served. Only the holder of the lock does that, so it is there once. */
byte asked;			/* bits: waiters that had their turn */
byte w;				/* the waiter whose turn it is */
byte how;			/* its new state */
byte found;

#define WAS_ASKED(w)	(asked & (1 << (w)))

/*
 * The end of what is done under the lock. G-WAIT-9 at its strictest: nobody
 * waits for a message that is visible, at no time.
 */
#define IGNORED(w, m)	(listed[w] && msg_state[m] == VISIBLE && WANTS(w, m))
#define IGNORES(w)	(IGNORED(w, 0) || IGNORED(w, 1) || IGNORED(w, MSGS - 1))
#define IS_SOUND(w)	(!IGNORES(w) && \
			 (!listed[w] || alive[w] && state[w] == WAITING))

inline unlock()
{
	assert(IS_SOUND(GENERAL));
	assert(IS_SOUND(SPECIFIC));
	assert(IS_SOUND(MORTAL));
	assert(IS_SOUND(BROWSER));
	assert(IS_SOUND(SIGNAL));
	queue_lock = 0
}

/* Messages */

inline drop(m)
{
	assert(msg_refs[m]);
	msg_refs[m]--
}

/*
 * kmq_take_try_locked(): sets @m, NONE if there is nothing. Any that suits may be
 * the first.
 */
inline choose(w, m)
{
	if
	:: msg_state[0] == VISIBLE && WANTS(w, 0) -> m = 0
	:: msg_state[1] == VISIBLE && WANTS(w, 1) -> m = 1
#if MSGS > 2
	:: msg_state[2] == VISIBLE && WANTS(w, 2) -> m = 2
#endif
	:: else -> m = NONE
	fi
}

/* kmq_take_apply() */
inline apply(w, m)
{
	if
	:: w == BROWSER -> msg_refs[m]++
	:: else -> msg_state[m] = TAKEN
	fi
}

/* Servers */

/* kmq_signal_post_locked() */
inline post(code)
{
	assert(!signal_freed && handle_signal);
	listed[SIGNAL] = 0;
	signal_status = code;
	posts++;
	assert(posts == 1);
	timer_pending = 0;
	if
	:: poll_waits -> poll_woken = 1
	:: else
	fi
}

/* Whose turn it is: browsers, specific ones, general ones in any order, signals. */
#define HAS_TURN(w)	(listed[w] && !WAS_ASKED(w))
#ifdef MISTAKE_ONLY_ONE_CLASS
#define GENERAL_MAY	(!WAS_ASKED(SPECIFIC))
#else
#define GENERAL_MAY	1
#endif

inline next_waiter(m)
{
	assert(msg_refs[m]);
	if
	:: msg_state[m] != VISIBLE -> w = WAITERS
	:: else ->
		if
		:: HAS_TURN(BROWSER) -> w = BROWSER
		:: else ->
			if
			:: HAS_TURN(SPECIFIC) -> w = SPECIFIC
			:: else ->
				if
				:: HAS_TURN(GENERAL) && GENERAL_MAY ->
					w = GENERAL
				:: HAS_TURN(MORTAL) && GENERAL_MAY ->
					w = MORTAL
				:: else ->
					if
					:: HAS_TURN(SIGNAL) -> w = SIGNAL
					:: else -> w = WAITERS
					fi
				fi
			fi
		fi
	fi
}

/* kmq_waiter_wake(), before others can see it */
inline claim(s)
{
	how = s;
	assert(alive[w]);
#ifndef MISTAKE_WAITER_STAYS
	listed[w] = 0;
#endif
#ifdef MISTAKE_TASK_READ_LATE
	skip
#else
#ifdef MISTAKE_NO_TASK_REF
	skip
#else
	task_refs[w]++
#endif
#endif
}

/*
 * kmq_waiters_serve_set() and what it calls, up to the point where a sleeper is
 * to be told; w is WAITERS if there is none.
 */
inline ask(m)
{
	do
	:: next_waiter(m);
		if
		:: w == WAITERS -> break
		:: else -> asked = asked | (1 << w)
		fi;
		if
		:: !WANTS(w, m)
		:: w == SIGNAL -> post(ARRIVED)
		:: w == SPECIFIC && WANTS(w, m) && !room ->
#ifdef MISTAKE_RETRY_KEEPS_MESSAGE
			asked = EVERYBODY;
#endif
			claim(RETRY);
			break
		:: w != SIGNAL && WANTS(w, m) && (w != SPECIFIC || room) ->
			choose(w, found);
			assert(found != NONE);
			apply(w, found);
#ifndef MISTAKE_NO_RELEASE
			taken[w] = found;
			found = 0;
#endif
			claim(SERVED);
			break
		fi
	od
}

/* (C) in wait.c, and a wake-up that took place too early */
inline store_state()
{
#ifdef MISTAKE_WAKE_WITHOUT_FENCE
	if
	:: state[w] = how
	:: task[w] == RUNNING -> state[w] = how; how = WAITING
	fi
#else
#ifdef MISTAKE_NO_RELEASE
	REORDER(taken[w] = found, state[w] = how)
#else
	state[w] = how
#endif
#endif
}

/* wake_up_process(), (D), and put_task_struct() */
inline wake_up()
{
#ifdef MISTAKE_TASK_READ_LATE
	assert(alive[w]);
#else
	assert(!finished[w] || task_refs[w]);
#endif
#ifdef MISTAKE_WAKE_WITHOUT_FENCE
	if
	:: how != WAITING -> task[w] = RUNNING
	:: else
	fi;
#else
	task[w] = RUNNING;
#endif
	if
	:: task_refs[w] -> task_refs[w]--
	:: else
	fi;
	how = 0;
	found = 0
}

inline end_offer(m)
{
	asked = 0;
	w = 0;
#ifndef MISTAKE_NO_MSG_REF
	drop(m);
#endif
	unlock()
}

/* A message becomes visible: kmq_queue_insert_locked(), kmq_waiters_offer_locked() */
inline publish(m)
{
#ifdef MISTAKE_UNLOCK_BEFORE_OFFER
	atomic {
		!queue_lock ->
		msg_state[m] = VISIBLE;
		unlock()
	};
#endif
	atomic {
		!queue_lock ->
		queue_lock = 1;
		msg_state[m] = VISIBLE;
#ifndef MISTAKE_NO_MSG_REF
		msg_refs[m]++;
#endif
		ask(m);
		if
		:: w == WAITERS -> end_offer(m); goto published
		:: else
		fi
	};
tell:
	store_state();
	atomic {
		wake_up();
		ask(m);
		if
		:: w == WAITERS -> end_offer(m)
		:: else -> goto tell
		fi
	};
published:
	skip
}

/*
 * kmq_waiters_pass_locked(): who waits takes anything and nobody else has a say.
 * The message is never visible, and the sleeper is woken when the lock has been
 * given up: whom it was is kept aside.
 */
#define IS_VISIBLE(m)	(msg_state[m] == VISIBLE)
#define CAN_PASS	(!queue_lock && (listed[GENERAL] || listed[MORTAL]) && \
			 !listed[SPECIFIC] && !listed[BROWSER] &&	\
			 !listed[SIGNAL] && !IS_VISIBLE(0) &&		\
			 !IS_VISIBLE(1) && !IS_VISIBLE(MSGS - 1))

inline pass(m, to)
{
	atomic {
		CAN_PASS ->
		queue_lock = 1;
		if
		:: listed[GENERAL] -> w = GENERAL
		:: listed[MORTAL] -> w = MORTAL
		fi;
		msg_state[m] = TAKEN;
		taken[w] = m;
		claim(SERVED)
	};
	state[w] = how;
	atomic {
#ifdef MISTAKE_PASS_WITHOUT_TASK_REF
		task_refs[w]--;
#endif
		to = w;
		w = 0;
		how = 0;
		unlock()
	};
	/* kmq_waiter_let_go() */
	atomic {
		assert(!finished[to] || task_refs[to]);
		task[to] = RUNNING;
		if
		:: task_refs[to] -> task_refs[to]--
		:: else
		fi;
		to = 0
	}
}

proctype putter(byte m, last)
{
	byte to;

	do
	:: msg_refs[m] = 1;
		if
		:: publish(m)
#ifdef PASSES
		:: pass(m, to)
#endif
		fi;
		if
		:: m == last -> break
		:: else -> m++
		fi
	od;
	m = 0;
	last = 0
}

/* Getters */

/* kmq_take_keep(), kmq_take_end_browse(): the message is the program's. */
inline keep(g, m)
{
	if
	:: g == BROWSER -> assert(msg_state[m] != UNBORN)
	:: else ->
		assert(msg_state[m] == TAKEN);
		msg_state[m] = GOT;
		msg_got[m]++;
		assert(msg_got[m] == 1)
	fi;
	drop(m)
}

inline add_waiter(g)
{
	alive[g] = 1;
	listed[g] = 1;
	state[g] = WAITING;
	taken[g] = NONE
}

proctype getter(byte g, gets)
{
	byte m = NONE, s;
	bit is_over;		/* kmq_waiter_sleep() returns an error */

#ifdef BREAK
	if
	:: g == MORTAL ->
		/* kmq_call_begin() */
		atomic {
			if
			:: call_lock -> goto out
			:: else -> call_lock = 1
			fi
		};
		if
		:: broken -> goto done
		:: else
		fi
	:: else
	fi;
#endif
find:
	/* kmq_get_find() */
	atomic {
		!queue_lock ->
		choose(g, m);
		if
		:: m != NONE && g == SPECIFIC && !room ->
			/* kmq_take_grow() */
			room = 1;
			m = NONE;
			goto find
		:: m != NONE && (g != SPECIFIC || room) ->
			apply(g, m);
			unlock();
			goto deliver
		:: m == NONE
		fi;
#ifdef MISTAKE_UNLOCK_BEFORE_ADD
		unlock()
	};
	atomic {
		!queue_lock ->
#endif
		/* kmq_get_wait() */
		add_waiter(g);
#ifdef BREAK
		if
		:: g == MORTAL -> queue_lock = 1
		:: else -> unlock(); goto sleep
		fi
	};
	/* kmq_conn_wait_begin() */
#ifdef MISTAKE_BROKEN_READ_EARLY
	s = broken;
	waiting_at = 1;
#else
	waiting_at = 1;
	s = broken;
#endif
	atomic {
		if
		:: s -> listed[g] = 0; alive[g] = 0; s = 0; unlock()
		:: else -> unlock(); goto sleep
		fi
	};
	atomic { waiting_at = 0; goto done };
#else
		unlock()
	};
#endif

sleep:
	/* kmq_waiter_sleep() */
#ifdef MISTAKE_STATE_TESTED_FIRST
	s = state[g];
	task[g] = SLEEPING;
#else
#ifdef MISTAKE_SLEEP_WITHOUT_FENCE
	REORDER(task[g] = SLEEPING, s = state[g]);
#else
	task[g] = SLEEPING;
	/* (A) */
#ifdef MISTAKE_NO_ACQUIRE
	REORDER(s = state[g], m = taken[g]);
#else
#define IN_ORDER
#endif
#endif
#endif
	atomic {
#ifdef IN_ORDER
		s = state[g];		/* (B) */
#endif
		if
		:: s != WAITING -> goto awake
		:: s == WAITING && g == MORTAL && is_killed ->
			is_over = 1;
			goto second_look
		:: s == WAITING && g == MORTAL && !is_killed && is_late ->
			/* The timer expires as soon as it is started. */
			task[g] = RUNNING
		:: s == WAITING && (g != MORTAL || !is_killed && !is_late)
		fi
	};
end_asleep:
	atomic {
		task[g] == RUNNING ->
#ifdef MISTAKE_WOKEN_IS_SERVED
		goto awake
#else
		if
		:: g == MORTAL && is_late -> is_over = 1
		/* The timer may have been stopped before it was noticed. */
		:: g != MORTAL || !is_late || state[g] != WAITING ->
			goto sleep
		fi
#endif
	};

second_look:
#ifdef MISTAKE_SECOND_LOOK_UNLOCKED
	s = state[g];
#endif
	atomic {
		!queue_lock ->
#ifndef MISTAKE_SECOND_LOOK_UNLOCKED
		s = state[g];
#endif
#ifdef MISTAKE_NO_SECOND_LOOK
		s = WAITING;
#endif
		if
		:: s == WAITING -> listed[g] = 0
		:: else -> is_over = 0
		fi;
		unlock()
	};

awake:
	/* The waiter ends with the function whose stack it is on. */
	atomic {
		task[g] = RUNNING;
		s = state[g];
#ifndef MISTAKE_NO_ACQUIRE
		m = taken[g];
#endif
		alive[g] = 0;
		taken[g] = 0;
		state[g] = 0;
#ifdef BREAK
		if
		:: g == MORTAL -> waiting_at = 0
		:: else
		fi;
#endif
		if
		:: is_over || s == CANCELED -> goto done
		:: !is_over && s == RETRY ->
			s = 0;
			m = NONE;
			room = 1;
			goto find
		:: else -> s = 0; goto deliver
		fi
	};

deliver:
	/* kmq_get_deliver(): it reaches the program, or is put back. */
	atomic {
		assert(m != NONE);
		if
		:: g != MORTAL || !is_killed -> keep(g, m); goto delivered
#ifndef GETS
		:: g == GENERAL
#endif
		:: g == MORTAL && is_killed
		fi;
		assert(msg_state[m] == TAKEN)
	};
	/* kmq_take_restore() */
#ifndef MISTAKE_NO_RESTORE
#ifdef MISTAKE_RESTORE_WITHOUT_OFFER
	atomic { !queue_lock -> msg_state[m] = VISIBLE; unlock() };
#else
	publish(m);
#endif
#endif
delivered:
	atomic {
		m = NONE;
		gets--;
		if
		:: gets -> goto find
		:: else -> goto done
		fi
	};
done:
	atomic {
#ifdef BREAK
		if
		:: g == MORTAL -> call_lock = 0
		:: else
		fi;
#endif
		goto out
	};
out:
	/* The task may end at once. */
	atomic {
		assert(!listed[g]);
		m = 0;
		s = 0;
		gets = 0;
		is_over = 0;
		finished[g] = 1
	}
}

/* The end of its time and its death, or one of them, or neither */
proctype fate()
{
	if
	:: atomic { is_late = 1; task[MORTAL] = RUNNING }
#ifndef GETS
		;
		if
		:: atomic { is_killed = 1; task[MORTAL] = RUNNING }
		:: skip
		fi
#endif
	:: atomic { is_killed = 1; task[MORTAL] = RUNNING }
	:: skip
	fi
}

#ifdef BREAK
/* kmq_conn_break() */
proctype breaker()
{
	bit is_waiting;

	broken = 1;
	is_waiting = waiting_at;
	if
	:: is_waiting ->
		/* kmq_waiters_cancel_conn_locked() */
		atomic {
			!queue_lock ->
			is_waiting = 0;
			if
			:: listed[MORTAL] ->
				queue_lock = 1;
				w = MORTAL;
				claim(CANCELED)
			:: else -> goto cancelled
			fi
		};
		store_state();
		atomic {
			wake_up();
			w = 0;
			unlock()
		}
	:: else
	fi;
cancelled:
	atomic { !call_lock -> call_lock = 1 };
	/* kmq_handle_close() */
	assert(!listed[MORTAL]);
	call_lock = 0
}
#endif

#ifdef SIGNALS
/* kmq_signal_expired() */
proctype timer()
{
	if
	:: atomic { timer_pending -> timer_pending = 0; timer_running = 1 };
		atomic {
			!queue_lock ->
			assert(!signal_freed);
			if
#ifdef MISTAKE_TIMER_ASKS_NOTHING
			:: handle_signal -> post(EXPIRED)
#else
			:: handle_signal && signal_status == OUTSTANDING ->
				post(EXPIRED)
#endif
			:: else
			fi;
			unlock()
		};
		timer_running = 0
	:: skip
	fi
}

/* kmq_signal_free() */
inline signal_free()
{
	atomic {
#ifndef MISTAKE_FREED_UNDER_TIMER
		!timer_running ->
#endif
		timer_pending = 0;
		assert(!listed[SIGNAL]);
		signal_freed = 1
	}
}

/* A get with MQGMO_SET_SIGNAL, then poll() and a get, or a close at any time */
proctype owner()
{
	byte m = NONE;

	atomic {
		!queue_lock ->
		choose(SIGNAL, m);
		if
		:: m != NONE ->
			apply(SIGNAL, m);
			unlock();
			goto deliver
		:: else
		fi;
		/* kmq_signal_set_locked() */
		listed[SIGNAL] = 1;
		alive[SIGNAL] = 1;
		handle_signal = 1;
		signal_status = OUTSTANDING;
		timer_pending = 1;
		unlock()
	};
	if
	:: goto close
	:: skip
	fi;
	/* kmq_queue_poll() */
#ifndef MISTAKE_POLL_LOOKS_FIRST
	poll_waits = 1;
#endif
	atomic {
		!queue_lock ->
		if
		:: signal_status != OUTSTANDING -> goto posted
		:: else
		fi
	};
#ifdef MISTAKE_POLL_LOOKS_FIRST
	poll_waits = 1;
#endif
end_poll:
	poll_woken;
posted:
	atomic { poll_waits = 0; poll_woken = 0 };
	if
	:: goto close
	:: skip
	fi;
	/* kmq_get_end_posted_signal() */
	atomic {
		!queue_lock ->
		assert(signal_status == ARRIVED || signal_status == EXPIRED);
		handle_signal = 0;
		signal_status = 0;
		unlock()
	};
	signal_free();
	atomic {
		!queue_lock ->
		choose(SIGNAL, m);
		if
		:: m != NONE -> apply(SIGNAL, m); unlock()
		:: else -> goto out
		fi
	};
deliver:
	atomic { keep(SIGNAL, m); goto out };
close:
	/* kmq_handle_close() */
	atomic {
		!queue_lock ->
		handle_signal = 0;
#ifndef MISTAKE_CLOSE_LEAVES_SIGNAL
		listed[SIGNAL] = 0;
#endif
		signal_status = 0;
		unlock()
	};
	signal_free();
out:
	m = 0
}
#endif

/* When nothing can happen any more */

#define SLEEPS_WELL(g)	(listed[g] && task[g] == SLEEPING && !IGNORES(g))
#define MUST_END	(is_late || is_killed || broken)
#define IS_SAFE(m)	(msg_state[m] == VISIBLE && msg_refs[m] == 1 ||	\
			 msg_state[m] == GOT && !msg_refs[m])

proctype judge()
{
	atomic {
		timeout ->
		/*
		 * No lost wake-up: who waits has nothing to wait for. All others
		 * have come to an end, or spin calls it an invalid end state.
		 */
		assert(finished[GENERAL] || SLEEPS_WELL(GENERAL));
		assert(finished[SPECIFIC] || SLEEPS_WELL(SPECIFIC));
		assert(finished[MORTAL] || SLEEPS_WELL(MORTAL) && !MUST_END);
		assert(finished[BROWSER] || SLEEPS_WELL(BROWSER));
		assert(!poll_waits || listed[SIGNAL] && !IGNORES(SIGNAL));
		/* Nothing is lost, and nobody holds anything. */
		assert(IS_SAFE(0) && IS_SAFE(1) && IS_SAFE(MSGS - 1))
	}
}

init
{
	atomic {
		run putter(0, 0);
		run putter(1, MSGS - 1);
#ifdef GETS
		run getter(GENERAL, 1);
		run getter(SPECIFIC, 1);
		run getter(BROWSER, 1);
		run getter(MORTAL, 1);
		run fate();
#else
		run getter(GENERAL, 2);
		finished[SPECIFIC] = 1;
		finished[BROWSER] = 1;
#endif
#ifdef BREAK
		run getter(MORTAL, 1);
		run fate();
		run breaker();
#endif
#ifdef SIGNALS
		finished[MORTAL] = 1;
		run owner();
		run timer();
#endif
		run judge()
	}
}
