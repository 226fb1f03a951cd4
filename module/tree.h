/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_TREE_H
#define KMQ_TREE_H

#include <linux/rbtree.h>

/**
 * struct kmq_tree - red-black tree that knows both its ends
 * @root: the tree
 * @first: leftmost node
 * @last: rightmost node
 *
 * Most messages arrive at an end: behind all others of their priority, with the
 * newest identifier. With both ends at hand that costs one comparison.
 */
struct kmq_tree {
	struct rb_root root;
	struct rb_node *first;
	struct rb_node *last;
};

/* Link @node at the place found and keep the ends. */
static inline void kmq_tree_link(struct kmq_tree *tree, struct rb_node *node,
				 struct rb_node *parent, struct rb_node **link,
				 bool first, bool last)
{
	rb_link_node(node, parent, link);
	rb_insert_color(node, &tree->root);
	if (first)
		tree->first = node;
	if (last)
		tree->last = node;
}

/**
 * kmq_tree_add - insert a node
 * @tree: the tree
 * @node: node that is in no tree
 * @less: order of two nodes; total, no two nodes are equal
 */
static __always_inline void
kmq_tree_add(struct kmq_tree *tree, struct rb_node *node,
	     bool (*less)(const struct rb_node *, const struct rb_node *))
{
	struct rb_node **link = &tree->root.rb_node;
	struct rb_node *parent = NULL;
	bool first = true, last = true;

	if (tree->last && less(tree->last, node)) {
		parent = tree->last;
		link = &parent->rb_right;
		first = false;
	} else {
		while (*link) {
			parent = *link;
			if (less(node, parent)) {
				link = &parent->rb_left;
				last = false;
			} else {
				link = &parent->rb_right;
				first = false;
			}
		}
	}
	kmq_tree_link(tree, node, parent, link, first, last);
}

/**
 * kmq_tree_add_behind - insert a node just behind another one
 * @tree: the tree
 * @node: node that is in no tree
 * @before: node in the tree; no other one lies between the two
 */
static inline void kmq_tree_add_behind(struct kmq_tree *tree,
				       struct rb_node *node,
				       struct rb_node *before)
{
	struct rb_node **link = &before->rb_right;
	struct rb_node *parent = before;

	while (*link) {
		parent = *link;
		link = &parent->rb_left;
	}
	kmq_tree_link(tree, node, parent, link, false, tree->last == before);
}

static inline void kmq_tree_clear(struct kmq_tree *tree)
{
	tree->root = RB_ROOT;
	tree->first = NULL;
	tree->last = NULL;
}

/**
 * kmq_tree_del_until - take out the first nodes
 * @tree: the tree
 * @last: the last one of them
 */
static inline void kmq_tree_del_until(struct kmq_tree *tree,
				      struct rb_node *last)
{
	struct rb_node *node = tree->first, *end, *next;

	if (last == tree->last) {
		kmq_tree_clear(tree);
		return;
	}
	end = rb_next(last);
	for (; node != end; node = next) {
		next = rb_next(node);
		rb_erase(node, &tree->root);
	}
	tree->first = end;
}

/**
 * kmq_tree_del - take a node out
 * @tree: the tree it is in
 * @node: the node
 */
static inline void kmq_tree_del(struct kmq_tree *tree, struct rb_node *node)
{
	if (tree->first == tree->last) {
		kmq_tree_clear(tree);
		return;
	}
	if (tree->first == node)
		tree->first = rb_next(node);
	else if (tree->last == node)
		tree->last = rb_prev(node);
	rb_erase(node, &tree->root);
}

static inline bool kmq_tree_empty(const struct kmq_tree *tree)
{
	return !tree->root.rb_node;
}

#endif /* KMQ_TREE_H */
