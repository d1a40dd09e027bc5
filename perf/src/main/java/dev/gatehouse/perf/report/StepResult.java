package dev.gatehouse.perf.report;

/**
 * One measured step. Times are milliseconds of the answered ones, redirects within the step included.
 *
 * @param ok answered as the scenario expects
 * @param failed anything else
 */
public record StepResult(String name, long ok, long failed, double meanMs, double p50Ms, double p95Ms, double p99Ms) {}
