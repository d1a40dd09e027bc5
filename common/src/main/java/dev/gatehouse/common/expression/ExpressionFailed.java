package dev.gatehouse.common.expression;

/** An expression has no value for this person and request: it asked for what is not there, or worked too long. */
public final class ExpressionFailed extends Exception {
  private static final long serialVersionUID = 1;

  ExpressionFailed(String message) {
    super(message, null, false, false);
  }
}
