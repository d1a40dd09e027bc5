package dev.gatehouse.idp.otp.seed;

import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.idp.otp.ocra.OcraSuite;
import dev.gatehouse.idp.otp.ocra.OcraSuiteUnreadable;
import java.util.Optional;

/** Suites of OCRA tokens that people can log in with. */
final class OcraSeeds {

  private static final int LONGEST = 64;

  /** Least lengths of challenges where nothing else makes a response another one the next time. */
  private static final int LEAST_NUMERIC = 8;

  private static final int LEAST_OTHER = 6;

  /**
   * A suite that was read.
   *
   * @param encoding the word of PSKC for the format of its challenges
   * @param length of its challenges
   */
  record Read(TokenType type, String encoding, int length) {}

  private OcraSeeds() {}

  static Read read(String text) {
    OcraSuite suite;
    try {
      suite = OcraSuite.parse(text);
    } catch (OcraSuiteUnreadable e) {
      throw new SeedFileUnreadable(e.sentence());
    }
    if (suite.digits() < 6 || suite.digits() > 8) {
      throw new SeedFileUnreadable("Responses have 6 to 8 digits; the suite has others.");
    }
    if (suite.session().isPresent() || text.length() > LONGEST) {
      throw new SeedFileUnreadable("At a login nobody types information on a session into a token: suites with S are not taken.");
    }
    int least = suite.challenge().format() == OcraSuite.Format.NUMERIC ? LEAST_NUMERIC : LEAST_OTHER;
    if (!suite.counter() && suite.step().isEmpty() && suite.challenge().length() < least) {
      throw new SeedFileUnreadable(
          "Challenges of a suite without C and T have at least 8 digits (QN08) or 6 characters (QA06, QH06): shorter ones come again, and"
              + " with them responses that somebody has seen.");
    }
    String encoding =
        switch (suite.challenge().format()) {
          case NUMERIC -> "DECIMAL";
          case ALPHANUMERIC -> "ALPHANUMERIC";
          case HEXADECIMAL -> "HEXADECIMAL";
        };
    TokenType type = new TokenType(Kind.OCRA, suite.hash(), suite.digits(), 0, Optional.of(text));
    return new Read(type, encoding, suite.challenge().length());
  }
}
