package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The identity providers that were chosen in this browser, latest first (cookie {@code gh_choice}). The cookie contains
 * no personal data, only short digests of entity IDs. It skips the discovery page only if the person asked for that.
 *
 * @param digests digests of the last choices, latest first
 * @param always whether to use the first one without asking the person
 */
record IdentityProviderMemory(List<String> digests, boolean always) {

  private static final String COOKIE = "gh_choice";
  private static final Duration LIFE = Duration.ofDays(180);
  private static final int MAX = 3;
  private static final int DIGEST_LENGTH = 12;
  private static final Pattern FORM = Pattern.compile("!?[A-Za-z0-9_-]{12}(\\.[A-Za-z0-9_-]{12}){0,2}");
  private static final IdentityProviderMemory NOTHING = new IdentityProviderMemory(List.of(), false);

  static IdentityProviderMemory of(EdgeRequest request) {
    return request
        .cookie(Cookies.name(request.origin(), COOKIE))
        .filter(value -> FORM.matcher(value).matches())
        .map(IdentityProviderMemory::parse)
        .orElse(NOTHING);
  }

  private static IdentityProviderMemory parse(String value) {
    boolean always = value.startsWith("!");
    return new IdentityProviderMemory(List.of((always ? value.substring(1) : value).split("\\.")), always);
  }

  /** The remembered identity providers that the realm has, latest first. */
  List<String> recent(SpRealm realm) {
    return digests.stream()
        .flatMap(digest -> realm.identityProviders().stream().filter(id -> digest(id).equals(digest)))
        .toList();
  }

  /** The identity provider that the person always wants to use. */
  Optional<String> always(SpRealm realm) {
    return always ? recent(realm).stream().findFirst() : Optional.empty();
  }

  IdentityProviderMemory with(String chosen, boolean alwaysThere) {
    List<String> now = new ArrayList<>(digests);
    now.remove(digest(chosen));
    now.addFirst(digest(chosen));
    return new IdentityProviderMemory(List.copyOf(now.subList(0, Math.min(MAX, now.size()))), alwaysThere);
  }

  EdgeReply keptBy(EdgeReply reply, EdgeRequest request) {
    String value = (always ? "!" : "") + String.join(".", digests);
    return reply.with("Set-Cookie", Cookies.set(request.origin(), COOKIE, value, LIFE));
  }

  static EdgeReply forgottenBy(EdgeReply reply, EdgeRequest request) {
    return reply.with("Set-Cookie", Cookies.remove(request.origin(), COOKIE));
  }

  private static String digest(String entityId) {
    return Digests.of("identity provider", entityId).substring(0, DIGEST_LENGTH);
  }
}
