package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.realm.IdentityValue;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.InjectConfig.Basic;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.InjectConfig.Password;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import dev.gatehouse.sp.session.AppSession;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Converts the identity data of a session or an access token to the form that the app expects: header fields, query
 * parameters, cookies, HTTP Basic.
 *
 * <p>Values are sent as UTF-8, as other access gateways do. Lists are separated by commas; in their elements a comma, a
 * percent sign, a control character and a space at either end are percent-encoded, so that no group name can look like
 * two, or like another one. Single values (the user's name, properties of the login) are sent unchanged; if one cannot
 * be sent unchanged (because of a control character, a space at either end, or because it is empty), the request is
 * denied. An empty list is omitted, and so is an unknown property of the login. In queries and cookies all forbidden
 * characters are percent-encoded in addition.
 */
public final class IdentityFilter {

  /** @param firstOf the first of these values that is known is sent */
  private record Source(String name, List<IdentityValue> firstOf) {}

  private final String realm;
  private final List<Source> headers;
  private final List<Source> query;
  private final List<Source> cookies;
  private final List<Source> claims;
  private final LookalikeNames queryNames;
  private final LookalikeNames cookieNames;
  private final Optional<Basic> basic;
  private final Optional<Jwt> jwt;
  private final boolean needsClient;

  /** The filter of a route. */
  public IdentityFilter(String realm, InjectConfig inject) {
    this(realm, inject, sources(inject.headers()));
  }

  /** The filter for the additional, conventional field names that a foreign proxy expects. */
  public static IdentityFilter conventional(String realm, InjectConfig inject) {
    Map<String, List<IdentityValue>> names = new TreeMap<>();
    inject
        .forwardAuth()
        .forEach(
            convention ->
                convention
                    .headers()
                    .forEach((header, values) -> names.put(header, values.stream().map(IdentityFilter::value).toList())));
    return new IdentityFilter(
        realm, InjectConfig.NOTHING, names.entrySet().stream().map(e -> new Source(e.getKey(), e.getValue())).toList());
  }

  private IdentityFilter(String realm, InjectConfig inject, List<Source> headers) {
    this.realm = realm;
    this.headers = headers;
    this.query = sources(inject.query());
    this.cookies = sources(inject.cookies());
    this.basic = inject.basic();
    this.jwt = inject.jwt();
    this.claims = sources(jwt.map(Jwt::claims).orElse(Map.of()));
    this.queryNames = new LookalikeNames(inject.query().keySet());
    this.cookieNames = new LookalikeNames(inject.cookies().keySet());
    IdentityValue client = new IdentityValue.Client();
    this.needsClient =
        Stream.of(headers, query, cookies, claims)
            .flatMap(List::stream)
            .anyMatch(source -> source.firstOf().contains(client));
  }

  private static List<Source> sources(Map<String, String> values) {
    return values.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> new Source(e.getKey(), List.of(value(e.getValue()))))
        .toList();
  }

  private static IdentityValue value(String name) {
    return IdentityValue.parse(name).orElseThrow(() -> new IllegalArgumentException("nothing known is called " + name));
  }

  /** The edits for a session; empty if a value cannot be sent faithfully. */
  public Optional<HeaderEdits> edits(AppSession session) {
    return edits(new Identity.Person(session));
  }

  /** The edits for the holder of an access token; empty if a value cannot be sent faithfully. */
  public Optional<HeaderEdits> edits(TokenHolder holder) {
    return edits(new Identity.Holder(holder, realm));
  }

  private Optional<HeaderEdits> edits(Identity identity) {
    if (jwt.isPresent() && !isWritable(identity)) {
      return Optional.empty();
    }
    Optional<HeaderEdits> edits = compose(identity, Optional.empty(), Optional.empty());
    return jwt.isPresent() || needsClient
        ? edits.map(known -> known.until(new PerRequestIdentity(this, identity, false)))
        : edits;
  }

  /** Returns whether every reader of a token would decode the same values. */
  private boolean isWritable(Identity identity) {
    return HeaderValueEncoding.arrivesAsItIs(identity.user())
        && claims(identity, Optional.empty()).values().stream()
            .flatMap(value -> value instanceof List<?> list ? list.stream() : Stream.of(value))
            .allMatch(value -> StandardCharsets.UTF_8.newEncoder().canEncode(value.toString()));
  }

  /** Composes the edits; empty if a value cannot be sent. Values that are not known yet are omitted. */
  Optional<HeaderEdits> compose(Identity identity, Optional<InetAddress> client, Optional<String> token) {
    List<Edit> fields = new ArrayList<>();
    List<Edit> parameters = new ArrayList<>();
    List<String> pairs = new ArrayList<>();
    boolean all =
        each(headers, identity, client, (name, text) -> fields.add(new Edit(name, HeaderValueEncoding.utf8(text))))
            && each(query, identity, client, (name, text) -> parameters.add(new Edit(name, HeaderValueEncoding.query(text))))
            && each(cookies, identity, client, (name, text) -> pairs.add(name + "=" + HeaderValueEncoding.cookie(text)));
    Optional<String> credentials = basic.flatMap(b -> credentials(b, identity));
    if (!all || credentials.isPresent() != basic.isPresent()) {
      return Optional.empty();
    }
    credentials.ifPresent(encoded -> fields.add(new Edit("Authorization", "Basic " + encoded)));
    jwt.ifPresent(
        j -> token.ifPresent(signed -> fields.add(new Edit(j.header(), j.isBearer() ? "Bearer " + signed : signed))));
    return Optional.of(
        HeaderEdits.of(
            fields,
            query.isEmpty() ? Optional.empty() : Optional.of(new QueryEdits(queryNames, parameters)),
            cookies.isEmpty() ? Optional.empty() : Optional.of(new CookieEdits(cookieNames, pairs))));
  }

  private interface Sending {
    void send(String name, String text);
  }

  private static boolean each(
      List<Source> sources, Identity identity, Optional<InetAddress> client, Sending sending) {
    for (Source source : sources) {
      for (IdentityValue value : source.firstOf()) {
        Optional<String> single = single(value, identity, client);
        if (single.isPresent() && !HeaderValueEncoding.arrivesAsItIs(single.get())) {
          return false;
        }
        List<String> list = single.isPresent() ? List.of() : list(value, identity);
        if (single.isPresent() || !list.isEmpty()) {
          sending.send(source.name(), single.orElseGet(() -> HeaderValueEncoding.list(list)));
          break;
        }
      }
    }
    return true;
  }

  private static Optional<String> single(IdentityValue value, Identity identity, Optional<InetAddress> client) {
    return switch (value) {
      case IdentityValue.User user -> Optional.of(identity.user());
      case IdentityValue.Login(IdentityValue.Known known) -> identity.login(known);
      case IdentityValue.Client address -> client.map(ForwardedFields::text);
      case IdentityValue.Roles roles -> Optional.empty();
      case IdentityValue.Groups groups -> Optional.empty();
      case IdentityValue.Attribute attribute -> Optional.empty();
    };
  }

  private static List<String> list(IdentityValue value, Identity identity) {
    return switch (value) {
      case IdentityValue.Roles roles -> identity.roles();
      case IdentityValue.Groups groups -> identity.groups();
      case IdentityValue.Attribute(String name) -> identity.attributes().getOrDefault(name, List.of());
      case IdentityValue.User user -> List.of();
      case IdentityValue.Login login -> List.of();
      case IdentityValue.Client address -> List.of();
    };
  }

  /** Base64 of name and password (RFC 7617, section 2); empty if one is missing or the name contains a colon. */
  private static Optional<String> credentials(Basic basic, Identity identity) {
    Optional<String> user =
        one(value(basic.user()), identity).filter(HeaderValueEncoding::arrivesAsItIs).filter(name -> name.indexOf(':') < 0);
    Optional<String> password =
        switch (basic.password()) {
          case Password.Shared(var secret) -> Optional.of(secret.value());
          case Password.Of(String value) -> one(value(value), identity).filter(HeaderValueEncoding::isPlain);
        };
    return user.flatMap(
        name ->
            password.map(
                word -> Base64.getEncoder().encodeToString((name + ":" + word).getBytes(StandardCharsets.UTF_8))));
  }

  private static Optional<String> one(IdentityValue value, Identity identity) {
    List<String> list = list(value, identity);
    return single(value, identity, Optional.empty())
        .or(() -> list.size() == 1 ? Optional.of(list.getFirst()) : Optional.empty());
  }

  /**
   * The additional claims of the token: roles and groups are lists; an attribute is a list only if it has several
   * values.
   */
  Map<String, Object> claims(Identity identity, Optional<InetAddress> client) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Source source : claims) {
      IdentityValue value = source.firstOf().getFirst();
      Optional<String> single = single(value, identity, client);
      List<String> list = list(value, identity);
      boolean several = !(value instanceof IdentityValue.Attribute) || list.size() > 1;
      if (single.isPresent()) {
        all.put(source.name(), single.get());
      } else if (!list.isEmpty()) {
        all.put(source.name(), several ? list : list.getFirst());
      }
    }
    return all;
  }

  Optional<Jwt> jwt() {
    return jwt;
  }

  boolean needsClient() {
    return needsClient;
  }
}
