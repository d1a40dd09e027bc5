package dev.gatehouse.perf.service;

/**
 * What a node held.
 *
 * @param node which one
 * @param sessions of people in it
 * @param residentMb resident memory
 * @param rateInThatBefore its rate per CPU second, in that before it had the sessions; 1 where there were none
 */
record Held(String node, long sessions, double residentMb, double rateInThatBefore) {}
