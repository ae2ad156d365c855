#include "common/shogi/record_tree.h"

#include <stdlib.h>

static bool is_empty(const struct record_line *line) { return line->count == 0 && line->end == RECORD_END_NONE; }

/* Orders children by parent, then ply, then place in the file. */
static int compare_lines(const struct record *record, uint32_t left, uint32_t right)
{
    const struct record_line *a = &record->lines[left], *b = &record->lines[right];
    if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
    if (a->from_ply != b->from_ply) return a->from_ply < b->from_ply ? -1 : 1;
    return left < right ? -1 : left > right;
}

static void sift_down(const struct record *record, uint32_t *heap, uint32_t root, uint32_t count)
{
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && compare_lines(record, heap[child], heap[child + 1]) < 0) child++;
        if (compare_lines(record, heap[root], heap[child]) >= 0) return;
        uint32_t swapped = heap[root];
        heap[root] = heap[child];
        heap[child] = swapped;
    }
}

uint32_t record_tree_children(const struct record *record, uint32_t *children)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < record->line_count; i++)
        if (!is_empty(&record->lines[i])) children[count++] = i;
    for (uint32_t root = count / 2; root-- > 0;)
        sift_down(record, children, root, count); /* heapsort: qsort has no argument for `record` */
    for (uint32_t left = count; left > 1; left--) {
        uint32_t largest = children[0];
        children[0] = children[left - 1];
        children[left - 1] = largest;
        sift_down(record, children, 0, left - 1);
    }
    return count;
}

uint32_t record_tree_first_child(const struct record *record, const uint32_t *children, uint32_t count, uint32_t line,
                                 uint32_t ply)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct record_line *l = &record->lines[children[middle]];
        if (l->parent < line || (l->parent == line && l->from_ply < ply))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Pushes the children of `line` so that they come off the stack from the last ply to the first, those of one ply in
 * file order. */
static uint32_t push_children(const struct record *record, const uint32_t *children, uint32_t count, uint32_t line,
                              uint32_t *stack, uint32_t depth)
{
    uint32_t first = record_tree_first_child(record, children, count, line, 0);
    for (uint32_t i = first; i < count && record->lines[children[i]].parent == line;) {
        uint32_t end = i;
        while (end < count && record->lines[children[end]].parent == line &&
               record->lines[children[end]].from_ply == record->lines[children[i]].from_ply)
            end++;
        for (uint32_t k = end; k > i; k--) stack[depth++] = children[k - 1];
        i = end;
    }
    return depth;
}

enum status record_tree_order(const struct record *record, uint32_t *order, uint32_t *count)
{
    *count = 0;
    uint32_t *children = malloc(record->line_count * sizeof *children),
             *stack = malloc(record->line_count * sizeof *stack);
    if (!children || !stack) {
        free(children);
        free(stack);
        return ST_NO_MEMORY;
    }
    uint32_t children_count = record_tree_children(record, children), depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        uint32_t line = stack[--depth];
        order[(*count)++] = line;
        depth = push_children(record, children, children_count, line, stack, depth);
    }
    free(children);
    free(stack);
    return ST_OK;
}

void record_tree_position(const struct record *record, uint32_t line, uint32_t plies, struct position *pos,
                          Square *last_to)
{
    Move path[RECORD_PLIES_MAX];
    uint32_t length = plies;
    for (uint32_t until = plies + 1;;) { /* plies [from_ply of the line, until) are its own */
        const struct record_line *l = &record->lines[line];
        for (uint32_t ply = l->from_ply; ply < until; ply++)
            path[ply - 1] = record->moves[l->first + ply - l->from_ply].move;
        if (line == 0) break;
        if (l->from_ply < until) until = l->from_ply;
        line = l->parent;
    }
    *pos = record->initial;
    struct undo undo;
    for (uint32_t i = 0; i < length; i++) position_do(pos, path[i], &undo);
    if (last_to) *last_to = length ? move_to(path[length - 1]) : SQUARE_NONE;
}

void record_tree_mark_forks(const struct record *record, bool *marks)
{
    for (uint32_t i = 1; i < record->line_count; i++) {
        const struct record_line *line = &record->lines[i], *parent = &record->lines[line->parent];
        if (is_empty(line)) continue;
        uint32_t offset = (uint32_t)(line->from_ply - parent->from_ply);
        marks[offset < parent->count ? parent->first + offset : record->move_count + line->parent] = true;
    }
}

uint32_t record_tree_first_comment(const struct record *record, uint32_t line, uint32_t ply)
{
    uint32_t low = 0, high = record->comment_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct record_comment *c = &record->comments[middle];
        if (c->line < line || (c->line == line && c->ply < ply))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool record_can_name_move(const struct position *pos, Move move)
{
    if (!move_is_real(move) || move_to(move) >= SQUARE_COUNT) return false;
    if (move_is_drop(move))
        return move_drop_type(move) >= PAWN && move_drop_type(move) <= HAND_TYPES && !move_promotes(move);
    PieceType type = piece_type(pos->board[move_from(move)]);
    return type != NO_TYPE && (!move_promotes(move) || type_can_promote(type));
}

/* ---- comparison ---- */

static bool same_time(int32_t a, int32_t b, unsigned what)
{
    if (what & RECORD_SAME_TIMES_MS) return a == b;
    if (!(what & RECORD_SAME_TIMES)) return true;
    return (a < 0 ? -1 : a / 1000) == (b < 0 ? -1 : b / 1000);
}

static const char *line_difference(const struct record *a, uint32_t line_a, const struct record *b, uint32_t line_b,
                                   unsigned what)
{
    const struct record_line *la = &a->lines[line_a], *lb = &b->lines[line_b];
    if (la->from_ply != lb->from_ply) return "place of a variation";
    if (la->count != lb->count) return "number of moves";
    for (uint32_t i = 0; i < la->count; i++) {
        const struct record_move *ma = &a->moves[la->first + i], *mb = &b->moves[lb->first + i];
        if (ma->move != mb->move) return "a move";
        if (!same_time(ma->time_ms, mb->time_ms, what)) return "the time of a move";
        if ((what & RECORD_SAME_COMMENTS) && (ma->score_kind != mb->score_kind || ma->score != mb->score))
            return "a score";
    }
    if (la->end != lb->end) return "the end";
    if (la->end == RECORD_END_OTHER && !text_equal(record_text(a, la->end_word), record_text(b, lb->end_word)))
        return "the word for the end";
    if (la->winner != lb->winner) return "the winner";
    if (!same_time(la->end_time_ms, lb->end_time_ms, what)) return "the time before the end";
    return NULL;
}

static bool is_content(const struct record_comment *c)
{
    return c->kind == RECORD_COMMENT_USER || c->kind == RECORD_COMMENT_PROGRAM;
}

/* The next comment of that line at or after *at that people or engines wrote. */
static const struct record_comment *next_comment(const struct record *record, uint32_t line, uint32_t *at)
{
    for (; *at < record->comment_count && record->comments[*at].line == line; ++*at)
        if (is_content(&record->comments[*at])) return &record->comments[(*at)++];
    return NULL;
}

static const char *comment_difference(const struct record *a, uint32_t line_a, const struct record *b, uint32_t line_b)
{
    uint32_t at_a = record_tree_first_comment(a, line_a, 0), at_b = record_tree_first_comment(b, line_b, 0);
    for (;;) {
        const struct record_comment *ca = next_comment(a, line_a, &at_a), *cb = next_comment(b, line_b, &at_b);
        if (!ca && !cb) return NULL;
        if (!ca || !cb) return "number of comments";
        if (ca->ply != cb->ply || ca->kind != cb->kind) return "place or kind of a comment";
        if (!text_equal(record_text(a, ca->text), record_text(b, cb->text))) return "text of a comment";
    }
}

static const char *tree_difference(const struct record *a, const struct record *b, unsigned what)
{
    uint32_t *order_a = malloc(a->line_count * sizeof *order_a), *order_b = malloc(b->line_count * sizeof *order_b);
    uint32_t count_a = 0, count_b = 0;
    const char *difference = NULL;
    if (!order_a || !order_b || record_tree_order(a, order_a, &count_a) != ST_OK ||
        record_tree_order(b, order_b, &count_b) != ST_OK)
        difference = "out of memory";
    else if (count_a != count_b)
        difference = "number of variations";
    for (uint32_t i = 1; !difference && i < count_a; i++) {
        difference = line_difference(a, order_a[i], b, order_b[i], what);
        if (!difference && (what & RECORD_SAME_COMMENTS)) difference = comment_difference(a, order_a[i], b, order_b[i]);
    }
    free(order_a);
    free(order_b);
    return difference;
}

static bool same_start(const struct position *a, const struct position *b)
{
    return a->board_key == b->board_key && a->side == b->side && a->hand[BLACK] == b->hand[BLACK] &&
           a->hand[WHITE] == b->hand[WHITE];
}

const char *record_difference(const struct record *a, const struct record *b, unsigned what)
{
    if (!same_start(&a->initial, &b->initial)) return "start position";
    const char *difference = line_difference(a, 0, b, 0, what);
    if (difference) return difference;
    if (a->illegal_ply != b->illegal_ply || a->illegal_move != b->illegal_move) return "the illegal move";
    if (what & RECORD_SAME_NAMES)
        for (unsigned key = RECORD_KEY_BLACK; key <= RECORD_KEY_WHITE; key++)
            if (!text_equal(record_header_value(a, (enum record_key)key), record_header_value(b, (enum record_key)key)))
                return "a player's name";
    if (what & RECORD_SAME_COMMENTS) difference = comment_difference(a, 0, b, 0);
    return !difference && (what & RECORD_SAME_TREE) ? tree_difference(a, b, what) : difference;
}
