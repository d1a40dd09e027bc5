package dev.gatehouse.gateway.policy;

/**
 * Identifies the rule that decided; a constant of the compiled rule.
 *
 * @param realm or {@code -} if none was found
 * @param route or {@code -} if none was found
 * @param policy or {@code -} if the route itself decided
 * @param rule for example {@code public}, {@code protected}, {@code role manager}, {@code rule 2}
 */
public record Trace(String realm, String route, String policy, String rule) {

  /** The trace of a decision by the route itself. */
  public Trace(String realm, String route, String rule) {
    this(realm, route, "-", rule);
  }
}
