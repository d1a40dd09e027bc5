package dev.gatehouse.common.expression;

/** An expression has no value for this person and request: a value was missing, or the evaluation took too many steps. */
public final class ExpressionFailed extends Exception {
  private static final long serialVersionUID = 1;

  ExpressionFailed(String message) {
    super(message, null, false, false);
  }
}
