package dev.gatehouse.idp.otp.ocra;

import dev.gatehouse.common.otp.TokenType.Hash;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A suite (RFC 6287, section 6): what a code is computed from. Exactly what the RFC writes is read; nothing is completed or guessed.
 *
 * @param text as it is part of each computation
 * @param hash of the HMAC
 * @param digits of a code, 4 to 10; 0 for the whole HMAC
 * @param counter whether the counter is part of it
 * @param challenge what a challenge looks like
 * @param pin the hash of the PIN that is part of it
 * @param session bytes of information on the session that are part of it
 * @param step seconds of a time step that is part of it
 */
public record OcraSuite(
    String text, Hash hash, int digits, boolean counter, Challenge challenge, Optional<Hash> pin, OptionalInt session, OptionalInt step) {

  private static final Map<String, Hash> HASHES = Map.of("SHA1", Hash.SHA1, "SHA256", Hash.SHA256, "SHA512", Hash.SHA512);
  private static final Pattern FUNCTION = Pattern.compile("HOTP-(SHA1|SHA256|SHA512)-(0|[4-9]|10)");
  private static final Pattern CHALLENGE = Pattern.compile("Q([ANH])(0[4-9]|[1-5][0-9]|6[0-4])");
  private static final Pattern PIN = Pattern.compile("P(SHA1|SHA256|SHA512)");
  private static final Pattern SESSION = Pattern.compile("S(064|128|256|512)");
  private static final Pattern STEP = Pattern.compile("T(?:([1-9]|[1-5][0-9])([SM])|([1-9]|[1-3][0-9]|4[0-8])H)");

  /** The characters of a challenge. */
  public enum Format {
    ALPHANUMERIC("ABCDEFGHJKLMNPQRSTUVWXYZ23456789"),
    NUMERIC("0123456789"),
    HEXADECIMAL("0123456789ABCDEF");

    private final String letters;

    Format(String letters) {
      this.letters = letters;
    }
  }

  /**
   * What a challenge looks like.
   *
   * @param length 4 to 64
   */
  public record Challenge(Format format, int length) {

    /** Returns whether the text can be such a challenge. */
    public boolean fits(String text) {
      return text.length() == length && text.chars().allMatch(c -> format.letters.indexOf(c) >= 0);
    }

    /** Makes a challenge. */
    public String create(RandomGenerator random) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.append(format.letters.charAt(random.nextInt(format.letters.length())));
      }
      return text.toString();
    }
  }

  /** Reads a suite. */
  public static OcraSuite parse(String text) throws OcraSuiteUnreadable {
    String[] parts = text.split(":", -1);
    if (parts.length != 3) {
      throw new OcraSuiteUnreadable("The suite has three parts between colons, as in OCRA-1:HOTP-SHA1-6:QN08.");
    }
    if (!parts[0].equals("OCRA-1")) {
      throw new OcraSuiteUnreadable("The suite begins with OCRA-1, the only version of the algorithm.");
    }
    Matcher function = FUNCTION.matcher(parts[1]);
    if (!function.matches()) {
      String right = "The function is HOTP-SHA1-6 or one with SHA256 or SHA512 and 0 or 4 to 10 digits, not ";
      throw new OcraSuiteUnreadable(right + shown(parts[1]) + ".");
    }
    Deque<String> input = new ArrayDeque<>(List.of(parts[2].split("-", -1)));
    boolean counter = "C".equals(input.peek());
    if (counter) {
      input.remove();
    }
    Matcher challenge = next(CHALLENGE, input)
        .orElseThrow(
            () ->
                new OcraSuiteUnreadable(
                    "The input begins with a challenge QN, QA or QH of 04 to 64 characters, after C if there is a counter."));
    Optional<Matcher> pin = next(PIN, input);
    Optional<Matcher> session = next(SESSION, input);
    Optional<Matcher> step = next(STEP, input);
    if (!input.isEmpty()) {
      throw new OcraSuiteUnreadable(
          "After the challenge come, in this order, PSHA1, PSHA256 or PSHA512, S064, S128, S256 or S512, and a time step such as T1M; "
              + shown(input.peek())
              + " is none of them.");
    }
    return new OcraSuite(
        text,
        hash(function),
        Integer.parseInt(function.group(2)),
        counter,
        new Challenge(format(challenge.group(1)), Integer.parseInt(challenge.group(2))),
        pin.map(OcraSuite::hash),
        session.map(found -> OptionalInt.of(Integer.parseInt(found.group(1)))).orElse(OptionalInt.empty()),
        step.map(found -> OptionalInt.of(seconds(found))).orElse(OptionalInt.empty()));
  }

  private static Optional<Matcher> next(Pattern pattern, Deque<String> input) {
    Optional<Matcher> found = Optional.ofNullable(input.peek()).map(pattern::matcher).filter(Matcher::matches);
    found.ifPresent(matcher -> input.remove());
    return found;
  }

  private static Hash hash(Matcher found) {
    return HASHES.getOrDefault(found.group(1), Hash.SHA1);
  }

  private static Format format(String letter) {
    return Arrays.stream(Format.values()).filter(format -> format.name().startsWith(letter)).findFirst().orElseThrow();
  }

  private static int seconds(Matcher step) {
    return step.group(3) != null
        ? Integer.parseInt(step.group(3)) * 3600
        : Integer.parseInt(step.group(1)) * ("M".equals(step.group(2)) ? 60 : 1);
  }

  private static String shown(String part) {
    String printable = part.replaceAll("[^ -~]", "?");
    return "\"" + (printable.length() > 40 ? printable.substring(0, 40) : printable) + "\"";
  }
}
