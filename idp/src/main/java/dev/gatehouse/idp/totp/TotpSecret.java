package dev.gatehouse.idp.totp;

import dev.gatehouse.common.directory.PersonId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/** The shared secret of an authenticator app: 160 random bits, as RFC 4226, section 4, recommends. */
public record TotpSecret(byte[] bytes) {

  private static final int BYTES = 20;
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  /** The context for which the secret of an app is sealed. */
  public static String[] context(String realm, PersonId person, String app) {
    return new String[] {"totp", realm, person.value(), app};
  }

  public static TotpSecret create(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new TotpSecret(bytes);
  }

  /** The secret in base32 without padding (RFC 4648, section 6), for typing if nothing can be scanned. */
  public String text() {
    StringBuilder text = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte b : bytes) {
      buffer = (buffer << 8 | b & 0xff) & 0xfff;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text.append(ALPHABET.charAt(buffer >> bits & 31));
      }
    }
    if (bits > 0) {
      text.append(ALPHABET.charAt(buffer << 5 - bits & 31));
    }
    return text.toString();
  }

  /**
   * The content of the QR code: Google's Key Uri Format, which all apps read. Values that are the apps' defaults are
   * omitted.
   *
   * @param issuer without a colon, which would end it
   * @param account the person's name
   */
  public String uri(String issuer, String account, int digits) {
    return "otpauth://totp/" + escaped(issuer) + ":" + escaped(account)
        + "?secret=" + text()
        + "&issuer=" + escaped(issuer)
        + (digits == 6 ? "" : "&digits=" + digits);
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return "***";
  }
}
