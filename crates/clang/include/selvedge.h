/* What a program can ask of Selvedge. Both functions are only declared here: for
 * a native build, link definitions of your own (say, with rand() and exit()). */
#ifndef SELVEDGE_H
#define SELVEDGE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Any number from 0 to n - 1; `n` must be at least 1. The program is verified
 * for each of them. */
int selvedge_choose(int n);

/* Executions that come here with a condition of 0 are not considered: they end,
 * and nothing that would happen afterwards is reported. */
void selvedge_assume(int condition);

#ifdef __cplusplus
}
#endif

#endif
