package dev.gatehouse.perf.service;

import java.util.Map;

/**
 * What a node held.
 *
 * @param node which one
 * @param sessions of people in it, as its store counts them
 * @param residentMb resident memory
 * @param rateInThatBefore its rate per CPU second, in that before it had the sessions; 1 where there were none
 * @param partsMb memory outside of the heap of which the node knows, by what it is for; empty where it was not asked
 */
record Held(String node, long sessions, double residentMb, double rateInThatBefore, Map<String, Double> partsMb) {}
