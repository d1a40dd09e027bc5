package dev.gatehouse.gateway.forwardauth;

import dev.gatehouse.gateway.forwardauth.ForwardAuth.Dialect;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.ClientConnection;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The request that another proxy asks about. It is reconstructed from the proxy's question as it would have arrived
 * here, and then parsed as strictly. Only trusted proxies may ask, and each part of the description must occur exactly
 * once.
 */
public sealed interface ForwardAuthRequest {

  record Asked(RequestHead head, ForwardAuth forwardAuth) implements ForwardAuthRequest {}

  record Refused(Refusal refusal) implements ForwardAuthRequest {}

  /** Fields that belong to the question, not to the described request. */
  Set<String> QUESTION =
      Set.of("x-original-url", "x-original-method", "x-forwarded-method", "x-forwarded-uri", "x-original-uri");

  /** Fields that the description states in another way, and fields of the question's own body. */
  Set<FieldName> REPLACED =
      EnumSet.of(
          FieldName.HOST,
          FieldName.CONTENT_LENGTH,
          FieldName.EXPECT,
          FieldName.X_FORWARDED_PROTO,
          FieldName.X_FORWARDED_HOST,
          FieldName.X_FORWARDED_PORT);

  /** The described request: an origin, and a target that begins with a slash. */
  record Question(String method, String scheme, String authority, String target) {}

  /** Returns whether the request is such a question. */
  static boolean is(RequestHead head) {
    byte[] prefix = Ascii.bytes(ForwardAuth.PATH);
    int start = head.pathStart();
    return head.pathEnd() - start > prefix.length
        && Arrays.equals(head.fields().bytes(), start, start + prefix.length, prefix, 0, prefix.length);
  }

  static ForwardAuthRequest read(RequestHead head, ClientConnection connection, RequestParser parser) {
    if (!connection.isPeerTrusted()) {
      return refused(403, "denied", "FORWARD_AUTH_UNTRUSTED");
    }
    String path = Ascii.string(head.fields().bytes(), head.pathStart(), head.pathEnd());
    Optional<Dialect> dialect =
        Arrays.stream(Dialect.values())
            .filter(d -> path.equals(d.path()) || d == Dialect.ENVOY && path.startsWith(d.path() + "/"))
            .findFirst();
    if (dialect.isEmpty()) {
      return refused(404, "not-found", "ROUTE_NOT_FOUND");
    }
    Optional<Question> question =
        switch (dialect.get()) {
          case NGINX -> byUrl(head.fields());
          case TRAEFIK, CADDY, HAPROXY -> byParts(head.fields());
          case ENVOY -> byPath(head, connection);
        };
    return question
        .map(asked -> parser.parse(encode(asked, head.fields())))
        .filter(RequestHead.class::isInstance)
        .<ForwardAuthRequest>map(
            parsed -> new Asked((RequestHead) parsed, new ForwardAuth(dialect.get())))
        .orElseGet(() -> refused(400, "bad-request", "FORWARD_AUTH_UNREADABLE"));
  }

  private static ForwardAuthRequest refused(int status, String page, String reason) {
    return new Refused(new Refusal(status, page, reason, "-", true, List.of()));
  }

  /** {@code X-Original-URL: https://host/path?query} and {@code X-Original-Method}. */
  private static Optional<Question> byUrl(Fields fields) {
    Optional<String> url = one(fields, "x-original-url");
    Optional<String> method = one(fields, "x-original-method");
    if (url.isEmpty() || method.isEmpty()) {
      return Optional.empty();
    }
    int start = url.get().indexOf("://") + 3;
    int slash = url.get().indexOf('/', start);
    return start < 3 || slash < 0
        ? Optional.empty()
        : Optional.of(
            new Question(
                method.get(),
                url.get().substring(0, start - 3),
                url.get().substring(start, slash),
                url.get().substring(slash)));
  }

  /** {@code X-Forwarded-Method}, {@code -Proto}, {@code -Host} and {@code -Uri}. */
  private static Optional<Question> byParts(Fields fields) {
    Optional<String> method = one(fields, "x-forwarded-method");
    Optional<String> scheme = one(fields, "x-forwarded-proto");
    Optional<String> host = one(fields, "x-forwarded-host");
    Optional<String> target = one(fields, "x-forwarded-uri");
    return method.isEmpty() || scheme.isEmpty() || host.isEmpty() || target.isEmpty()
        ? Optional.empty()
        : Optional.of(new Question(method.get(), scheme.get(), host.get(), target.get()));
  }

  /** The method and Host of the request, and the target after the prefix. */
  private static Optional<Question> byPath(RequestHead head, ClientConnection connection) {
    int start = head.pathStart() + Dialect.ENVOY.path().length();
    Optional<String> scheme = one(head.fields(), "x-forwarded-proto");
    boolean unclear = scheme.isEmpty() && head.fields().next(FieldName.X_FORWARDED_PROTO, 0) >= 0;
    String target = Ascii.string(head.fields().bytes(), start, head.targetEnd());
    return unclear
        ? Optional.empty()
        : Optional.of(
            new Question(
                head.method(),
                scheme.orElse(connection.scheme()),
                head.fields().first(FieldName.HOST).orElseThrow(),
                target.startsWith("/") ? target : "/" + target));
  }

  /** The value of the only field of that name; empty if it is missing or occurs several times. */
  private static Optional<String> one(Fields fields, String lowerName) {
    Optional<String> found = Optional.empty();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.nameText(i).toLowerCase(Locale.ROOT).equals(lowerName)) {
        if (found.isPresent()) {
          return Optional.empty();
        }
        found = Optional.of(fields.value(i));
      }
    }
    return found.filter(value -> !value.isEmpty());
  }

  private static byte[] encode(Question question, Fields fields) {
    HeadBuffer out = new HeadBuffer();
    out.put(question.method()).put(' ').put(question.target()).put(" HTTP/1.1").endLine();
    out.putField("Host", question.authority());
    out.putField("X-Forwarded-Proto", question.scheme());
    for (int i = 0; i < fields.size(); i++) {
      FieldName name = fields.name(i);
      boolean left =
          name.isHopByHop()
              || REPLACED.contains(name)
              || name == FieldName.OTHER && QUESTION.contains(fields.nameText(i).toLowerCase(Locale.ROOT));
      if (!left) {
        out.putField(fields, i);
      }
    }
    out.endLine();
    return Arrays.copyOf(out.array(), out.length());
  }
}
