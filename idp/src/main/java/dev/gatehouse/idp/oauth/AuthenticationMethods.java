package dev.gatehouse.idp.oauth;

import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The Authentication Method References of an authentication (OpenID Connect Core 2; RFC 8176, section 2). */
public final class AuthenticationMethods {

  private AuthenticationMethods() {}

  /** @param by of one authentication, and not all that a session has seen: {@code AuthnDecision.Satisfied} has it */
  public static List<String> of(List<AuthnEvent> by) {
    Set<String> methods = new LinkedHashSet<>();
    boolean first = false;
    boolean second = false;
    boolean both = false;
    for (AuthnEvent event : by) {
      methods.addAll(
          switch (event.contract()) {
            case PASSWORD, BASIC, DIRECT, GRANT -> List.of("pwd");
            case CERTIFICATE -> List.of("pop");
            case TOKEN -> List.of("otp", "pin", "mfa");
            case TOTP, RECOVERY -> List.of("otp");
            case PASSKEY -> List.of("hwk", "user");
            case SYNCED_PASSKEY -> List.of("swk", "user");
            case SECURITY_KEY -> List.of("hwk", "user");
          });
      both |= event.level() == AuthnLevel.PASSKEY;
      first |= !event.contract().isSecondStep();
      second |= event.contract().isSecondStep();
    }
    if (both || first && second) {
      methods.add("mfa");
    }
    return List.copyOf(methods);
  }
}
