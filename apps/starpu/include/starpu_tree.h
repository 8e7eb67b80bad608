/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TREE_H
#define ORR_STARPU_TREE_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct starpu_tree {
    struct starpu_tree *nodes; /* arity of them */
    struct starpu_tree *parent;
    int arity;
    int id;
    int level;
    int is_pu;
};

void starpu_tree_insert(struct starpu_tree *tree, int id, int level, int is_pu,
                        int arity, struct starpu_tree *parent);
void starpu_tree_prepare_children(unsigned arity, struct starpu_tree *parent);
struct starpu_tree *starpu_tree_get(struct starpu_tree *tree, int id);
struct starpu_tree *starpu_tree_get_neighbour(struct starpu_tree *tree,
                                              struct starpu_tree *node,
                                              char *visited, char *present);
void starpu_tree_reset_visited(struct starpu_tree *tree, char *visited);
void starpu_tree_free(struct starpu_tree *tree);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
