/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_tree.h>
#include <starpu_worker.h>

#include "apps/starpu/base/error.h"

#include <stdbool.h>
#include <stdlib.h>

void starpu_tree_insert(struct starpu_tree *tree, int id, int level, int is_pu,
                        int arity, struct starpu_tree *parent)
{
    *tree = (struct starpu_tree){.parent = parent,
                                 .arity = arity,
                                 .id = is_pu ? id : level,
                                 .level = level,
                                 .is_pu = is_pu};
}

void starpu_tree_prepare_children(unsigned arity, struct starpu_tree *parent)
{
    parent->nodes = calloc(arity, sizeof(*parent->nodes));
    if (parent->nodes == NULL && arity > 0)
        sp_fail("starpu_tree_prepare_children()", "out of memory");
    parent->arity = (int)arity;
}

void starpu_tree_free(struct starpu_tree *tree)
{
    for (int i = 0; i < tree->arity; i++)
        starpu_tree_free(&tree->nodes[i]);
    free(tree->nodes);
    tree->nodes = NULL;
    tree->arity = 0;
}

struct starpu_tree *starpu_tree_get(struct starpu_tree *tree, int id)
{
    if (tree->arity == 0)
        return tree->is_pu && tree->id == id ? tree : NULL;
    struct starpu_tree *found = NULL;
    for (int i = 0; i < tree->arity && found == NULL; i++)
        found = starpu_tree_get(&tree->nodes[i], id);
    return found;
}

void starpu_tree_reset_visited(struct starpu_tree *tree, char *visited)
{
    int *workers = NULL;
    int count =
        tree->arity == 0 ? starpu_bindid_get_workerids(tree->id, &workers) : 0;
    for (int i = 0; i < count; i++)
        visited[workers[i]] = 0;
    for (int i = 0; i < tree->arity; i++)
        starpu_tree_reset_visited(&tree->nodes[i], visited);
}

/* Whether @leaf has a worker that is @present and not yet @visited. */
static bool is_wanted(const struct starpu_tree *leaf, const char *visited,
                      const char *present)
{
    if (!leaf->is_pu)
        return false;
    int *workers = NULL;
    int count = starpu_bindid_get_workerids(leaf->id, &workers);
    for (int i = 0; i < count; i++)
        if (!visited[workers[i]] && present[workers[i]])
            return true;
    return false;
}

/* The first wanted leaf of @tree. */
static struct starpu_tree *find_leaf(struct starpu_tree *tree,
                                     const char *visited, const char *present)
{
    if (tree->arity == 0)
        return is_wanted(tree, visited, present) ? tree : NULL;
    struct starpu_tree *leaf = NULL;
    for (int i = 0; i < tree->arity && leaf == NULL; i++)
        leaf = find_leaf(&tree->nodes[i], visited, present);
    return leaf;
}

/* The wanted leaf that is nearest to @node: first among its siblings, from
 * the next one around, then among the ones of its parent. */
struct starpu_tree *starpu_tree_get_neighbour(struct starpu_tree *tree,
                                              struct starpu_tree *node,
                                              char *visited, char *present)
{
    struct starpu_tree *parent = node == NULL ? tree : node->parent;
    if (parent == NULL)
        return NULL;
    if (parent == tree && tree->arity == 0)
        return tree;
    int first = node == NULL ? 0 : (int)(node - parent->nodes);
    for (int i = 0; i < parent->arity; i++) {
        struct starpu_tree *near = &parent->nodes[(first + i) % parent->arity];
        struct starpu_tree *leaf =
            near == node ? NULL : find_leaf(near, visited, present);
        if (leaf != NULL)
            return leaf;
    }
    return parent == tree
               ? NULL
               : starpu_tree_get_neighbour(tree, parent, visited, present);
}
