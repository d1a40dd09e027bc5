package dev.gatehouse.perf.report;

/**
 * One measured step. Times are in milliseconds, of the successful ones, including redirects within the step.
 *
 * @param ok answered as the scenario expects
 * @param failed all others
 */
public record StepResult(String name, long ok, long failed, double meanMs, double p50Ms, double p95Ms, double p99Ms) {}
