package dev.gatehouse.common.realm;

/**
 * One policy: rules that permit or deny.
 *
 * @param name unique in the realm; shown in traces
 */
public record PolicyConfig(String name) {}
