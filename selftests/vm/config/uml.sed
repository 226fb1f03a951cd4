# User Mode Linux 6.12 takes the mark that a fork leaves in an address space
# when it is cut short (by a fatal signal, by a failing allocation) for a
# mapping, and dies of it.  Tests do both on purpose.
s/^\tfor_each_vma(vmi, vma)$/&\n\t\tif (xa_is_zero(vma))\n\t\t\tbreak;\n\t\telse/

# It knows no more of the floating point registers than 2696 bytes, and a host
# whose processors have more (AMX) takes them back only all together.  What it
# does not know is not in use: the mark for it in what it knows is not set.
s/^#include <registers.h>$/&\n#include <os.h>\n#include <string.h>/
/^int restore_fp_registers/,/^}/{
s/^\t\tiov.iov_base = fp_regs;$/\t\tstatic char all[65536];\n\t\tint err, enabled = um_set_signals(0);\n\n\t\tmemcpy(all, fp_regs, FP_SIZE * sizeof(unsigned long));\n\t\tiov.iov_base = all;/
s/^\t\tiov.iov_len = .*/\t\tiov.iov_len = sizeof(all);/
s/^\t\tif (\(ptrace(PTRACE_SETREGSET,.*)\) < 0)$/\t\terr = \1 < 0 ? -errno : 0;\n\t\tum_set_signals(enabled);/
s/^\t\t\treturn -errno;$/\t\treturn err;/
}

# Under time-travel a timer of the host interrupts programs that do not sleep.
# When it goes off, it is the time it was set for; not that of what was put last
# in the list of events, which is "now" if somebody has read the clock since.
# For a program that reads it often no time went by: it had no ticks, nobody
# else had a turn, nothing was freed that waits for a grace period of RCU.
s/^\ttime_travel_set_time(time_travel_next_event);$/\tif (time_travel_timer_event.pending)\n\t\ttime_travel_set_time(time_travel_timer_event.time);/
