package dev.gatehouse.common.otp;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.otp.Tokens.Use;
import dev.gatehouse.common.otp.Tokens.Used;
import dev.gatehouse.common.store.PackedCodec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A use that waits for the row of its token.
 *
 * @param sealedSeed of the token that made the code: a later one with the same serial number has another
 */
record KeptUse(String realm, String serial, byte[] sealedSeed, long used, int drift, Instant at) {

  static final PackedCodec<KeptUse> CODEC = PackedCodec.of(1, KeptUse::write, KeptUse::read);

  static KeptUse of(String realm, Used used) {
    Use use = used.use();
    return new KeptUse(realm, use.serial(), used.token().sealedSeed(), use.used(), use.drift(), use.at());
  }

  /** A name of a realm has no line break. Tokens that had the same serial number one after the other have keys of their own. */
  private static String key(String realm, String serial, byte[] sealedSeed) {
    return realm + "\n" + serial + "\n" + Integer.toHexString(Arrays.hashCode(sealedSeed));
  }

  static String key(String realm, Token token) {
    return key(realm, token.serial(), token.sealedSeed());
  }

  String key() {
    return key(realm, serial, sealedSeed);
  }

  /** Returns whether it is of this token, and its row does not have it. */
  boolean isAhead(Token row) {
    return used > row.lastUsed() && isOf(row);
  }

  boolean isOf(Token token) {
    return Arrays.equals(sealedSeed, token.sealedSeed());
  }

  /** The values of {@link TokenRows#FOLLOW}. */
  Object[] values() {
    return new Object[] {used, drift, TokenRows.utc(at), realm, serial, sealedSeed, used};
  }

  Token in(Token row) {
    return new Token(
        row.serial(), row.type(), row.sealedSeed(), row.state(), row.person(), used, drift, row.expiresAt(), Optional.of(at),
        row.replaces());
  }

  private static void write(PackedWriter out, KeptUse use) {
    out.text(use.realm);
    out.text(use.serial);
    out.bytes(use.sealedSeed);
    out.number(use.used);
    // Zigzag encoding: small negative numbers become small, too.
    out.number(Integer.toUnsignedLong(use.drift << 1 ^ use.drift >> 31));
    out.instant(use.at);
  }

  private static KeptUse read(PackedReader in) {
    return new KeptUse(in.text(), in.text(), in.bytes(), in.number(), signed(in.number()), in.instant());
  }

  private static int signed(long zigzag) {
    return (int) (zigzag >>> 1) ^ -(int) (zigzag & 1);
  }

  @Override
  public String toString() {
    return "KeptUse[" + realm + " " + serial + " " + used + "]";
  }
}
