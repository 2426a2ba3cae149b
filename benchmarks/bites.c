/* Bites with its default cards, played uniformly at random by plain C: a yardstick for the speed of the engine.
 *
 *     gcc -O3 -march=native -o bites_c benchmarks/bites.c && ./bites_c PLAYERS SECONDS [SEED]
 *
 * prints events a second, games a second, events a game and nanoseconds an event, on one thread. The events are
 * those of the engine's default game: each token laid on the trail, each move, each take from trail or stack, and
 * the offer of the card double_fister to spend a chocolate. Each event draws from all that is legal. It is written
 * to be read, with arrays and loops: not the fastest program that could be written.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FOODS = 5, CHOCOLATE = 5, WINE = 6, KINDS = 7, PLACES = 55, HILL = PLACES, START = -1, NONE = -1 };

static const int IN_BAG[KINDS] = {9, 9, 9, 9, 9, 5, 5};

typedef struct {
    int players, seat, arrived, events;
    int8_t trail[PLACES];  /* kind of token, or NONE */
    int8_t covered[PLACES];  /* whether an ant stands there */
    int place[FOODS];  /* of each ant: START, a place of the trail, or HILL */
    int level[FOODS];
    int in_stack[FOODS];
    int owned[5][KINDS];
    int points[5];
} Game;

static uint64_t counter;

static uint64_t random_word(void)
{
    uint64_t z = (counter += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* 0 … n − 1, each equally likely. */
static int below(int n)
{
    uint64_t limit = (uint64_t)-n % n;
    unsigned __int128 product;
    do product = (unsigned __int128)random_word() * n;
    while (__builtin_expect((uint64_t)product < (uint64_t)n, 0) && (uint64_t)product < limit);
    return product >> 64;
}

static int one_of(const int *choices, int n, Game *g)
{
    g->events++;
    return choices[below(n)];
}

static void deal(Game *g, int players)
{
    int left[KINDS];
    memset(g, 0, sizeof *g);
    memcpy(left, IN_BAG, sizeof left);
    g->players = players;
    for (int p = 0; p < PLACES; p++) {
        int drawn = below(PLACES - p), kind = 0;
        while (drawn >= left[kind]) drawn -= left[kind++];
        left[kind]--;
        g->trail[p] = kind;
        g->events++;
    }
    for (int ant = 0; ant < FOODS; ant++) {
        g->place[ant] = START;
        g->in_stack[ant] = 1;
    }
}

static int is_free(const Game *g, int place) { return g->trail[place] != NONE && !g->covered[place]; }

/* The nearest free token of the kind (of any kind for NONE) from a place in steps of 1 or −1; HILL or START. */
static int search(const Game *g, int place, int step, int kind)
{
    for (place += step; place >= 0 && place < PLACES; place += step)
        if (is_free(g, place) && (kind == NONE || g->trail[place] == kind)) return place;
    return place;
}

static int sides(const Game *g, int ant, int *found)
{
    int n = 0, front = search(g, g->place[ant], 1, NONE), back = search(g, g->place[ant], -1, NONE);
    if (front != HILL) found[n++] = front;
    if (back != START) found[n++] = back;
    return n;
}

static int take_beside(Game *g, int ant)
{
    int found[2], n = sides(g, ant, found);
    if (n == 0) return 0;
    int place = one_of(found, n, g);
    g->owned[g->seat][g->trail[place]]++;
    g->trail[place] = NONE;
    return 1;
}

static void take_from_stack(Game *g)
{
    int foods[FOODS], n = 0;
    for (int food = 0; food < FOODS; food++)
        if (g->in_stack[food]) foods[n++] = food;
    if (n == 0) return;
    int food = one_of(foods, n, g);
    g->in_stack[food]--;
    g->owned[g->seat][food]++;
}

static void offer_second_take(Game *g, int ant)
{
    int found[2];
    if (sides(g, ant, found) == 0) return;
    g->events++;
    if (below(2)) return;
    g->owned[g->seat][CHOCOLATE]--;
    take_beside(g, ant);
}

static void turn(Game *g)
{
    int ants[FOODS], n = 0, has_chocolate = g->owned[g->seat][CHOCOLATE] > 0;
    for (int ant = 0; ant < FOODS; ant++)
        if (g->place[ant] != HILL) ants[n++] = ant;
    int ant = one_of(ants, n, g), from = g->place[ant], to = search(g, from, 1, ant);
    if (from != START) g->covered[from] = 0;
    g->place[ant] = to;
    if (to == HILL) {
        g->level[ant] = 4 - g->arrived++;
        take_from_stack(g);
    } else {
        g->covered[to] = 1;
        if (take_beside(g, ant) && has_chocolate) offer_second_take(g, ant);
    }
    if (++g->seat == g->players) g->seat = 0;
}

static void score(Game *g)
{
    for (int seat = 0; seat < g->players; seat++) {
        int different = 0;
        for (int food = 0; food < FOODS; food++) {
            g->points[seat] += g->owned[seat][food] * g->level[food];
            different += g->owned[seat][food] > 0;
        }
        g->points[seat] += g->owned[seat][WINE] * different;
    }
}

int main(int argc, char **argv)
{
    int players = argc > 1 ? atoi(argv[1]) : 0;
    double seconds = argc > 2 ? atof(argv[2]) : 0, spent;
    if (players < 2 || players > 5 || seconds <= 0) {
        fprintf(stderr, "usage: %s PLAYERS SECONDS [SEED], with 2 to 5 players\n", argv[0]);
        return 2;
    }
    counter = argc > 3 ? strtoull(argv[3], 0, 10) * 0xD1342543DE82EF95u : 0;
    uint64_t games = 0, events = 0, points = 0;
    clock_t begin = clock();
    do {
        for (int i = 0; i < 1000; i++, games++) {
            Game g;
            for (deal(&g, players); g.arrived < FOODS;) turn(&g);
            score(&g);
            events += g.events;
            for (int seat = 0; seat < players; seat++) points += g.points[seat];
        }
        spent = (double)(clock() - begin) / CLOCKS_PER_SEC;
    } while (spent < seconds);
    printf("%.0f events/s  %.0f games/s  %.2f events/game  %.2f ns/event  %.2f points/game\n", events / spent,
           games / spent, (double)events / games, spent * 1e9 / events, (double)points / games);
    return 0;
}
