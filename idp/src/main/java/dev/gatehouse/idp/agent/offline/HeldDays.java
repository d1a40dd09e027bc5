package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.idp.otp.OfflineCodes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent holds for one person.
 *
 * @param name as typed at the login that it is of
 * @param until the second at which it ends
 */
record HeldDays(String name, String ticket, Codes codes, long until, Tries tries) {

  /**
   * The codes of a token from a time step on.
   *
   * @param drift by how many steps the token is ahead
   * @param salt of the PIN's hash
   * @param from the first time step
   * @param bits of each code {@link OfflineCodes#BYTES}
   */
  record Codes(String serial, int digits, int period, int drift, byte[] salt, long from, byte[] bits) {

    /** The first time step that is not there any more. */
    long end() {
      return from + bits.length / OfflineCodes.BYTES;
    }

    Optional<Short> at(long step) {
      return step < from || step >= end()
          ? Optional.empty()
          : Optional.of(ByteBuffer.wrap(bits).getShort((int) (step - from) * OfflineCodes.BYTES));
    }

    /** Returns whether the other ones continue these. */
    boolean continuesIn(Codes other) {
      return serial.equals(other.serial()) && digits == other.digits() && period == other.period() && Arrays.equals(salt, other.salt())
          && other.from() == end();
    }

    /** Returns these without those before a time step: a thief gets no code that was typed. */
    Codes since(long first) {
      return with(new Codes(serial, digits, period, drift, salt, end(), new byte[0]), first);
    }

    /** Returns these without those before a time step, and with those that continue them. */
    Codes with(Codes more, long first) {
      int skipped = (int) Math.clamp(first - from, 0, bits.length / OfflineCodes.BYTES) * OfflineCodes.BYTES;
      byte[] all = Arrays.copyOfRange(bits, skipped, bits.length + more.bits().length);
      System.arraycopy(more.bits(), 0, all, bits.length - skipped, more.bits().length);
      return new Codes(serial, digits, period, more.drift(), salt, from + skipped / OfflineCodes.BYTES, all);
    }
  }

  /**
   * What people tried since a server was reached.
   *
   * @param lastUsed the time step of the last code that counted
   * @param wrongInRow since a passcode counted
   * @param uses what is to be reported, in the form of {@code otp/v1/offline-uses}
   */
  record Tries(long lastUsed, int wrongInRow, int wrong, List<String> uses) {

    Tries accepted(long step, String use) {
      return new Tries(step, 0, wrong, plus(use));
    }

    Tries refused(String use) {
      return new Tries(lastUsed, wrongInRow + 1, wrong + 1, plus(use));
    }

    /** Returns what is left when those uses were reported. */
    Tries reported(Set<String> taken) {
      return new Tries(lastUsed, wrongInRow, wrong, uses.stream().filter(use -> !taken.contains(use)).toList());
    }

    /** Returns these when a server was reached: wrong ones that it knows are counted there. */
    Tries afterContact() {
      return uses.isEmpty() ? new Tries(lastUsed, 0, 0, uses) : this;
    }

    /** Returns these when a server took a code: it and those before count here no more. */
    Tries usedUpTo(long step) {
      return step <= lastUsed ? this : new Tries(step, wrongInRow, wrong, uses);
    }

    private List<String> plus(String use) {
      List<String> all = new ArrayList<>(uses);
      all.add(use);
      return List.copyOf(all);
    }
  }

  /** The time step of a moment by the token's clock. */
  long step(long second) {
    return second / codes.period() + codes.drift();
  }

  HeldDays with(Codes other) {
    return new HeldDays(name, ticket, other, until, tries);
  }

  HeldDays with(Tries other) {
    return new HeldDays(name, ticket, codes, until, other);
  }

  /** Returns these without codes, for what is still to be reported. */
  HeldDays ended() {
    Codes none = new Codes(codes.serial(), codes.digits(), codes.period(), codes.drift(), codes.salt(), codes.from(), new byte[0]);
    return new HeldDays(name, ticket, none, 0, tries);
  }

  byte[] toBytes() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("ticket", ticket);
    json.put("serial", codes.serial());
    json.put("digits", codes.digits());
    json.put("period", codes.period());
    json.put("drift", codes.drift());
    json.put("salt", Base64.getEncoder().encodeToString(codes.salt()));
    json.put("from", codes.from());
    json.put("codes", Base64.getEncoder().encodeToString(codes.bits()));
    json.put("until", until);
    json.put("lastUsed", tries.lastUsed());
    json.put("wrongInRow", tries.wrongInRow());
    json.put("wrong", tries.wrong());
    json.put("uses", tries.uses());
    return StrictJson.write(json).getBytes(StandardCharsets.UTF_8);
  }

  /** Reads the codes of an answer, or of what was kept; throws {@link IllegalArgumentException} if something is missing. */
  static Codes codes(Map<String, Object> json) {
    return new Codes(
        text(json, "serial"), (int) number(json, "digits"), (int) number(json, "period"), (int) number(json, "drift"),
        Base64.getDecoder().decode(text(json, "salt")), number(json, "from"), Base64.getDecoder().decode(text(json, "codes")));
  }

  static HeldDays of(byte[] bytes) {
    Map<String, Object> json = StrictJson.object(bytes).orElseThrow(() -> new IllegalArgumentException("no JSON"));
    List<String> uses = json.get("uses") instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
    return new HeldDays(
        text(json, "name"), text(json, "ticket"), codes(json), number(json, "until"),
        new Tries(number(json, "lastUsed"), (int) number(json, "wrongInRow"), (int) number(json, "wrong"), uses));
  }

  static String text(Map<String, Object> json, String name) {
    if (json.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + " is missing");
  }

  static long number(Map<String, Object> json, String name) {
    if (json.get(name) instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalArgumentException(name + " is missing");
  }

  /** Without codes. */
  @Override
  public String toString() {
    return "HeldDays[" + name + "]";
  }
}
