package dev.gatehouse.idp.otp.ocra;

/** A suite that cannot be read; the message says what is wrong and what would be right. */
public final class OcraSuiteUnreadable extends Exception {

  private static final long serialVersionUID = 1;

  OcraSuiteUnreadable(String sentence) {
    super(sentence, null, false, false);
  }

  /** A sentence for administrators. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
