package dev.gatehouse.perf.report;

/**
 * What a round cost one server process.
 *
 * @param cpuMsPerTransaction milliseconds of user and system time
 * @param residentMb at the end of the round
 */
public record ServerCost(String server, double cpuMsPerTransaction, long residentMb) {}
