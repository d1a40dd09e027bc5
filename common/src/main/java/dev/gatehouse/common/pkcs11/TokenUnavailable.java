package dev.gatehouse.common.pkcs11;

/** A token cannot be used; the message is a sentence with the remedy for the operator. No other key takes the place of its keys. */
public final class TokenUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What cannot be used, as a realm names it. */
  public enum About {
    TOKEN,
    LABEL,
    CERTIFICATE
  }

  private final About about;

  TokenUnavailable(String sentence) {
    this(About.TOKEN, sentence);
  }

  TokenUnavailable(About about, String sentence) {
    super(sentence);
    this.about = about;
  }

  /** Returns what cannot be used. */
  public About about() {
    return about;
  }

  /** Returns the sentence. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
