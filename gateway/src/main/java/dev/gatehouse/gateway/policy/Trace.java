package dev.gatehouse.gateway.policy;

/**
 * Which rule decided. A constant of the compiled rule, made once.
 *
 * @param realm or {@code -} where none was found
 * @param route or {@code -} where none was found
 * @param policy or {@code -} where the route itself says it
 * @param rule for example {@code public}, {@code protected}, {@code role manager}, {@code rule 2}
 */
public record Trace(String realm, String route, String policy, String rule) {

  /** What the route itself says. */
  public Trace(String realm, String route, String rule) {
    this(realm, route, "-", rule);
  }
}
