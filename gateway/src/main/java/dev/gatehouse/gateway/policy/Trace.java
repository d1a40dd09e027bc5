package dev.gatehouse.gateway.policy;

/**
 * Which rule decided. A constant of the compiled rule, made once.
 *
 * @param realm or {@code -} where none was found
 * @param route or {@code -} where none was found
 * @param rule for example {@code public}, {@code protected}, {@code role manager}
 */
public record Trace(String realm, String route, String rule) {}
