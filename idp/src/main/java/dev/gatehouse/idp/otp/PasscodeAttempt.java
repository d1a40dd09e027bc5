package dev.gatehouse.idp.otp;

/**
 * What somebody typed, and where.
 *
 * @param name the name as typed
 * @param passcode PIN and code, or the answer to a challenge; never logged
 * @param client who passed it on: the name of a RADIUS client or agent, or the login page; a challenge belongs to it
 * @param address where the person is, as the client says; empty if it does not say
 */
public record PasscodeAttempt(String name, String passcode, String client, String address) {

  /** The attempt without its passcode. */
  @Override
  public String toString() {
    return "PasscodeAttempt[name=" + name + ", client=" + client + ", address=" + address + "]";
  }
}
