package dev.gatehouse.gateway.message;

/**
 * Carries a {@link Malformation} out of a parser; has no stack trace, because attackers choose how often it is thrown.
 */
final class MalformedMessage extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Malformation malformation;

  MalformedMessage(Malformation malformation) {
    super(malformation.name(), null, false, false);
    this.malformation = malformation;
  }

  Malformation malformation() {
    return malformation;
  }
}
