package dev.gatehouse.idp.oauth;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The scopes of OpenID Connect (Core 3.1.2.1, 5.4 and 11): each is about a person. */
public final class StandardScopes {

  public static final String OPENID = "openid";

  /** All of them, in the order in which we name them. */
  public static final List<String> ALL = List.of(OPENID, "profile", "email", "address", "phone", Authorization.OFFLINE_ACCESS);

  /** Whoever names no scope wants neither an ID token nor tokens that outlive the session. */
  private static final Set<String> NOT_UNASKED = Set.of(OPENID, Authorization.OFFLINE_ACCESS);

  private StandardScopes() {}

  /** Returns those of the scopes that a request without {@code scope} stands for (RFC 6749, section 3.3), in order. */
  public static Set<String> unasked(Set<String> permitted) {
    return permitted.stream().filter(scope -> !NOT_UNASKED.contains(scope)).collect(Collectors.toCollection(TreeSet::new));
  }
}
