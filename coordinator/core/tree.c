/* tree.c - the top of the search tree. */
#include "coordinator/core/tree.h"

#include "common/shogi/movegen.h"

#include <assert.h>
#include <string.h>

Score tree_up(Score score)
{
    score = -score;
    return score >= SCORE_MATE_BOUND ? score - 1 : score <= -SCORE_MATE_BOUND ? score + 1 : score;
}

struct tree_item *tree_item_of(struct tree_node *node, Move move)
{
    for (size_t i = 0; i < node->count; i++)
        if (node->items[i].move == move) return &node->items[i];
    return NULL;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

/* Captures and promotions first: until costs are known nothing better is at hand. */
static unsigned first_guess(const struct position *pos, Move move)
{
    if (!move_is_drop(move) && pos->board[move_to(move)] != NO_PIECE) return 0;
    if (move_promotes(move) || position_gives_check(pos, move)) return 1;
    return move_is_drop(move) ? 3 : 2;
}

static void fill_items(struct tree_node *node, const Move *moves, size_t count)
{
    node->count = 0;
    for (size_t i = 0; i < count; i++)
        node->items[node->count++] = (struct tree_item){.move = moves[i], .worker = TREE_NOBODY};
}

static void fill_by_guess(struct tree_node *node)
{
    Move moves[MOVES_MAX], sorted[MOVES_MAX];
    size_t count = movegen_legal(&node->pos, moves), kept = 0;
    for (unsigned class = 0; class < 4; class ++)
        for (size_t i = 0; i < count; i++)
            if (first_guess(&node->pos, moves[i]) == class) sorted[kept++] = moves[i];
    fill_items(node, sorted, kept);
}

/* Dear moves first: what took long to refute once is likely to be the next best. The head leads. Stable. */
static void sort_items(struct tree_node *node)
{
    for (size_t i = 1; i < node->count; i++) {
        struct tree_item moving = node->items[i];
        size_t to = i;
        bool head = moving.move == node->best.move;
        while (to > 0 &&
               (head || (node->items[to - 1].move != node->best.move && node->items[to - 1].cost < moving.cost))) {
            node->items[to] = node->items[to - 1];
            to--;
        }
        node->items[to] = moving;
    }
}

static bool on_spine(const struct tree *t, unsigned index, unsigned levels)
{
    for (unsigned i = 0; i < levels; i++)
        if (t->spine[i] == index) return true;
    return false;
}

/* The node after the head of the spine's level `parent`, from memory or new. */
static unsigned child_node(struct tree *t, unsigned parent)
{
    const struct tree_node *from = &t->nodes[t->spine[parent]];
    unsigned ply = from->ply + 1, place = TREE_NODES_MAX;
    Move path[TREE_SPINE_MAX];
    memcpy(path, from->path, from->ply * sizeof *path);
    path[from->ply] = from->best.move;
    for (unsigned i = 0; i < TREE_NODES_MAX; i++) {
        struct tree_node *node = &t->nodes[i];
        if (node->used && node->ply == ply && memcmp(node->path, path, ply * sizeof *path) == 0) return i;
        if (on_spine(t, i, parent + 1)) continue;
        if (place == TREE_NODES_MAX || !node->used || (t->nodes[place].used && node->touched < t->nodes[place].touched))
            place = i;
    }
    assert(place < TREE_NODES_MAX); /* more places than the spine has levels */
    struct tree_node *node = &t->nodes[place];
    memset(node, 0, sizeof *node);
    node->used = true;
    node->ply = ply;
    memcpy(node->path, path, ply * sizeof *path);
    node->pos = from->pos;
    node->leaf_worker = TREE_NOBODY;
    struct undo undo;
    position_do(&node->pos, from->best.move, &undo);
    fill_by_guess(node);
    return place;
}

/* A position that was on the board before, or where the game is over, is no place to begin a search. */
static bool is_dead_end(const struct tree *t, unsigned levels, const struct tree_node *node)
{
    if (node->count == 0) return true;
    for (unsigned i = 0; i + 1 < levels; i++)
        if (t->nodes[t->spine[i]].pos.board_key == node->pos.board_key) return true;
    for (uint32_t i = 0; i < t->game->count; i++)
        if (t->game->entries[i].board_key == node->pos.board_key) return true;
    return false;
}

/* The spine along the root's best line; below it each node's own best move. */
static void grow_spine(struct tree *t, unsigned leaf)
{
    struct pv line = tree_spine(t, 0)->best.pv;
    unsigned wanted = leaf < 1 ? 1 : leaf > TREE_SPINE_MAX ? TREE_SPINE_MAX : leaf;
    t->leaf = 0;
    t->turn++;
    for (unsigned level = 0; level < wanted && level < line.count; level++) {
        struct tree_node *node = tree_spine(t, level);
        node->touched = t->turn;
        if (level > 0 && node->best.move != line.moves[level]) {
            if (!tree_item_of(node, line.moves[level])) break;
            node->best = (struct tree_best){.move = line.moves[level]};
            node->done_depth = 0;
        }
        if (t->depth - (int)level < 2) break;
        unsigned child = child_node(t, level);
        t->spine[level + 1] = child;
        t->nodes[child].touched = t->turn;
        if (is_dead_end(t, level + 2, &t->nodes[child])) break;
        t->leaf = level + 1;
    }
    for (unsigned level = 0; level < t->leaf; level++) sort_items(tree_spine(t, level));
}

void tree_start(struct tree *t, const struct position *root, const struct history *game, const Move *moves,
                size_t count, const struct tree_best *best, unsigned leaf)
{
    memset(t, 0, sizeof *t);
    t->game = game;
    struct tree_node *node = &t->nodes[0];
    node->used = true;
    node->pos = *root;
    node->leaf_worker = TREE_NOBODY;
    fill_items(node, moves, count);
    node->best = *best;
    node->done_depth = best->depth;
    t->depth = best->depth + 1;
    grow_spine(t, leaf);
}

/* ---- scores ----------------------------------------------------------------------------------------------------- */

Score tree_alpha(struct tree *t, unsigned level, int ahead, bool *exact)
{
    *exact = false;
    for (unsigned at = level; at <= t->leaf; at++) {
        const struct tree_best *best = &tree_spine(t, at)->best;
        if (best->depth < tree_depth_at(t, at, ahead) || best->depth == 0) continue;
        *exact = at == level;
        Score score = best->score;
        for (unsigned up = at; up > level; up--) score = tree_up(score);
        return score;
    }
    Score score = tree_spine(t, 0)->best.score; /* nobody has been so deep yet: as at the root */
    return level % 2 == 0 ? score : -score;
}

void tree_set_leaf(struct tree_node *node, const struct tree_best *best)
{
    if (best->depth <= node->done_depth) return;
    node->best = *best;
    node->done_depth = best->depth;
}

void tree_set_exact(struct tree_node *node, const struct tree_best *best)
{
    struct tree_item *item = tree_item_of(node, best->move);
    if (!item) return;
    if (best->depth >= item->upper_depth) {
        item->upper_depth = (uint8_t)best->depth;
        item->upper = best->score;
    }
    if (best->depth >= item->lower_depth) item->lower_depth = 0;
    if (best->depth > node->best.depth || (best->depth == node->best.depth && best->score > node->best.score))
        node->best = *best;
}

/* The head's score is that of the level below, seen from here. */
static void take_head(struct tree *t, unsigned level, int depth)
{
    struct tree_node *node = tree_spine(t, level);
    const struct tree_node *below = tree_spine(t, level + 1);
    struct tree_best head = {.move = below->path[level],
                             .score = tree_up(below->best.score),
                             .depth = depth,
                             .seldepth = below->best.seldepth + 1};
    head.pv.moves[head.pv.count++] = head.move;
    for (uint32_t i = 0; i < below->best.pv.count && head.pv.count < PV_MAX; i++)
        head.pv.moves[head.pv.count++] = below->best.pv.moves[i];
    tree_set_exact(node, &head);
}

static bool is_complete(const struct tree_node *node, int depth)
{
    if (node->best.depth < depth) return false;
    for (size_t i = 0; i < node->count; i++)
        if (node->items[i].move != node->best.move && !tree_refuted(&node->items[i], depth, node->best.score))
            return false;
    return true;
}

bool tree_settle(struct tree *t)
{
    for (unsigned level = t->leaf; level-- > 0;) {
        struct tree_node *node = tree_spine(t, level);
        int depth = tree_depth_at(t, level, 0);
        if (node->done_depth >= depth) continue;
        if (node->best.depth < depth) {
            if (tree_spine(t, level + 1)->done_depth < depth - 1) return false;
            take_head(t, level, depth);
        }
        if (!is_complete(node, depth)) return false;
        node->done_depth = depth;
    }
    return tree_spine(t, 0)->done_depth >= t->depth;
}

void tree_next(struct tree *t, unsigned leaf)
{
    t->depth++;
    grow_spine(t, leaf);
}
