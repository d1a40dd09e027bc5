package dev.gatehouse.idp.otp.seed;

/** Aborts the reading of a file of seeds, or of one entry of it, with a sentence for administrators; it never leaves this package. */
final class SeedFileUnreadable extends RuntimeException {
  private static final long serialVersionUID = 1;

  SeedFileUnreadable(String sentence) {
    super(sentence, null, false, false);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
