package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.Person;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What somebody typed, and where.
 *
 * @param name the name as typed
 * @param passcode PIN and code, or the answer to a challenge; never logged
 * @param client who passed it on: the name of a RADIUS client or agent, or the login page; a challenge belongs to it
 * @param address where the person is, as the client says; empty if it does not say
 * @param admission whom the client admits
 */
public record PasscodeAttempt(String name, String passcode, String client, String address, Admission admission) {

  /**
   * Whom a client admits.
   *
   * @param looksAtGroups whether groups or roles of the person matter to it, also after the decision: otherwise they are not read
   * @param admits asked before a right passcode is used up
   */
  public record Admission(boolean looksAtGroups, Predicate<Person> admits) {}

  private static final int SITE = 8;
  private static final Pattern SPACES = Pattern.compile("\\s");

  /** An attempt by a way in that admits everybody. */
  public PasscodeAttempt(String name, String passcode, String client, String address) {
    this(name, passcode, client, address, person -> true);
  }

  /** An attempt whose client looks at groups or roles. */
  public PasscodeAttempt(String name, String passcode, String client, String address, Predicate<Person> admits) {
    this(name, passcode, client, address, new Admission(true, admits));
  }

  /** The same attempt of somebody whose name is written otherwise. */
  public PasscodeAttempt named(String other) {
    return new PasscodeAttempt(other, passcode, client, address, admission);
  }

  /** The passcode without the spaces that people write between the digits of a code. */
  String typed() {
    return SPACES.matcher(passcode).replaceAll("");
  }

  /**
   * Who shares the turns of hashing: browsers of one address, or who asks a RADIUS client of the realm from one place; empty if nobody says
   * where. Two realms may have clients of the same name.
   */
  String source(String realm) {
    if (isOfPage()) {
      return site();
    }
    return client.startsWith("radius:") && !address.isEmpty() ? realm + " " + client + " " + site() : "";
  }

  /** The way in, as the audit log names it. */
  String way() {
    return isOfPage() ? client.substring(0, client.indexOf(':')) : client;
  }

  private boolean isOfPage() {
    return client.startsWith("login:") || client.startsWith(OwnTokens.CLIENT + ":");
  }

  /** An IPv6 address counts as its /64, which is what providers assign: one browser could otherwise take a new address each time. */
  private String site() {
    try {
      byte[] bytes = InetAddress.ofLiteral(address.replaceFirst("%.*$", "")).getAddress();
      return bytes.length > SITE ? HexFormat.of().formatHex(bytes, 0, SITE) : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }

  /** The attempt without its passcode. */
  @Override
  public String toString() {
    return "PasscodeAttempt[name=" + name + ", client=" + client + ", address=" + address + "]";
  }
}
