package dev.gatehouse.perf.report;

/**
 * The cost of a round for one server process.
 *
 * @param cpuMsPerTransaction milliseconds of user and system time
 * @param residentMb at the end of the round
 */
public record ServerCost(String server, double cpuMsPerTransaction, long residentMb) {}
