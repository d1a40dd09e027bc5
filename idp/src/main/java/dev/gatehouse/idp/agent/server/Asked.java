package dev.gatehouse.idp.agent.server;

import java.util.Optional;

/**
 * What somebody typed at a program of this host.
 *
 * @param passcode PIN and code, or the answer to a challenge; never logged
 * @param challenge the reference of the challenge that it answers
 * @param address where the person is, for the realm's audit log; empty if it is not known
 */
public record Asked(String name, String passcode, Optional<String> challenge, String address) {

  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_PASSCODE = 128;
  private static final int LONGEST_ADDRESS = 64;

  /** An address that the realm would not take is left out. */
  public Asked {
    address = address.length() <= LONGEST_ADDRESS && isPlain(address) ? address : "";
  }

  /** Returns whether a server can decide about it; otherwise the person is told "not accepted", and no server is asked. */
  public boolean isDecidable() {
    return !name.isBlank() && name.length() <= LONGEST_NAME && isPlain(name)
        && !passcode.isBlank() && passcode.length() <= LONGEST_PASSCODE && isPlain(passcode);
  }

  private static boolean isPlain(String text) {
    return text.chars().noneMatch(Character::isISOControl);
  }

  /** Without the passcode. */
  @Override
  public String toString() {
    return "Asked[" + name + ", " + address + "]";
  }
}
