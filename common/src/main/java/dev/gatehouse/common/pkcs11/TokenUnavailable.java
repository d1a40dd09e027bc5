package dev.gatehouse.common.pkcs11;

/** A token cannot be used; the message is a sentence with the remedy for the operator. No other key takes the place of its keys. */
public final class TokenUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  TokenUnavailable(String sentence) {
    super(sentence);
  }

  /** Returns the sentence. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
