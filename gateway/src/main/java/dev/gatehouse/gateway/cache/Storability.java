package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides whether a response may be stored (RFC 9111, section 3), and for whom. */
public final class Storability {

  /** Statuses that are stored for the route's default lifetime if the app sets none. */
  private static final Set<Integer> USUAL = Set.of(200, 203, 301, 308);

  /** Statuses that are stored only if the app itself sets a lifetime. */
  private static final Set<Integer> EXPLICIT =
      Set.of(300, 302, 307, 404, 405, 410, 451, 500, 501, 502, 503, 504);

  /** Responses that vary by these fields are for one person or one address. */
  private static final Set<String> PERSONAL =
      Set.of("cookie", "authorization", "dpop", "proxy-authorization", "forwarded", "x-forwarded-for", "x-real-ip");

  private static final List<String> PERSONAL_PREFIXES = List.of("remote-", "x-remote-", "x-gatehouse-");

  private Storability() {}

  /** The reason why the response must not be stored; empty if it may be. */
  public static Optional<NotStored> refusal(CacheFillRequest request, ResponseHead response, Freshness freshness) {
    Fields fields = response.fields();
    CacheControl control = Freshness.control(fields);
    return Optional.ofNullable(
        request.refusal() != null ? request.refusal()
            : byContent(request.scope(), response, control, freshness) instanceof NotStored refused ? refused
            : byPerson(request, control, fields, freshness));
  }

  private static @Nullable NotStored byContent(
      CacheScope scope, ResponseHead response, CacheControl control, Freshness freshness) {
    Fields fields = response.fields();
    if (control.noStore()) {
      return NotStored.NO_STORE;
    }
    if (control.isPrivate()) {
      return NotStored.PRIVATE;
    }
    if (fields.next(FieldName.SET_COOKIE, 0) >= 0) {
      return NotStored.SET_COOKIE;
    }
    if (response.status() == 206 || !HeadFields.all(fields, "content-range").isEmpty()) {
      return NotStored.PARTIAL;
    }
    if (!USUAL.contains(response.status()) && !(EXPLICIT.contains(response.status()) && freshness.explicit())) {
      return NotStored.STATUS;
    }
    if (response.framing() instanceof BodyFraming.Length(long bytes) && bytes > scope.config().maxObject()) {
      return NotStored.TOO_LARGE;
    }
    if (response.framing() instanceof BodyFraming.UntilClose) {
      return NotStored.UNTIL_CLOSE;
    }
    if (HeadFields.all(fields, "content-encoding").stream().anyMatch(coding -> !coding.equalsIgnoreCase("identity"))) {
      return NotStored.ENCODED;
    }
    boolean worthIt = freshness.lifetime() > 0 || freshness.explicit() && hasValidator(fields);
    return worthIt ? null : NotStored.NOT_FRESH;
  }

  private static @Nullable NotStored byPerson(
      CacheFillRequest request, CacheControl control, Fields fields, Freshness freshness) {
    for (String name : Vary.names(fields, request.scope())) {
      if (name.equals("*")) {
        return NotStored.VARY_ALL;
      }
      if (isPersonal(name) || request.scope().injects(name)) {
        return NotStored.VARY_PERSONAL;
      }
    }
    boolean shared = control.allowsSharing();
    if (request.identified()) {
      // An app that gets the person's identity, and sends no directive, may have answered for that person only.
      boolean byRoute =
          !freshness.explicit()
              && request.scope().config().defaultFreshness().isPresent()
              && !request.scope().tellsWhoAsks();
      if (!request.scope().sharesIdentified()) {
        return NotStored.IDENTIFIED;
      }
      if (!shared && !byRoute) {
        return NotStored.IDENTIFIED_NOT_PUBLIC;
      }
    }
    if (request.credentials() && !shared) {
      return NotStored.CREDENTIALS;
    }
    return request.unkeyed(Vary.names(fields, request.scope())) ? NotStored.REQUEST_FIELDS : null;
  }

  /** The reason why a confirmed response may not be reused for other requests; empty if it may be. */
  static Optional<NotStored> refusalToConfirm(CacheFillRequest request, StoredResponse confirmed) {
    if (request.credentials() && !confirmed.isShared()) {
      return Optional.of(NotStored.CREDENTIALS);
    }
    boolean unkeyed = request.unkeyed(Vary.names(confirmed.fields(), request.scope()));
    return unkeyed ? Optional.of(NotStored.REQUEST_FIELDS) : Optional.empty();
  }

  private static boolean isPersonal(String name) {
    byte[] folded = Ascii.bytes(name);
    for (int i = 0; i < folded.length; i++) {
      folded[i] = Ascii.folded(folded[i]);
    }
    String seen = Ascii.string(folded, 0, folded.length);
    return PERSONAL.contains(seen) || PERSONAL_PREFIXES.stream().anyMatch(seen::startsWith);
  }

  static boolean hasValidator(Fields fields) {
    return HeadFields.only(fields, "etag").isPresent() || HeadFields.only(fields, "last-modified").isPresent();
  }
}
