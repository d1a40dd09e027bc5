package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.InjectConfig;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads {@code inject} of a route. */
final class InjectYaml {

  private static final Map<String, String> INJECT = Map.of("Remote-User", "user", "Remote-Groups", "groups");

  /** Headers with a meaning between the gateway and the app, or the browser's own: never replaced by an identity. */
  private static final Set<String> RESERVED =
      Set.of(
          "host", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "content-length",
          "expect", "proxy-connection", "authorization", "proxy-authorization", "proxy-authenticate", "cookie", "set-cookie",
          "forwarded", "via", "content-type", "content-encoding", "range", "accept-encoding");

  private final Section section;
  private final Access access;

  InjectYaml(Section route, Access access) {
    this.section = route;
    this.access = access;
  }

  InjectConfig read() {
    Map<String, String> inject = new LinkedHashMap<>();
    Map<String, Value> given = section.map("inject");
    if (access instanceof Access.Public) {
      if (!given.isEmpty()) {
        section.problem("inject", "stands on a public route, which knows no identity",
            "remove it, or use access: protected");
      }
      return InjectConfig.NOTHING;
    }
    if (!section.has("inject")) {
      return InjectConfig.headers(INJECT);
    }
    Set<String> seen = new LinkedHashSet<>();
    given.forEach(
        (header, value) -> {
          String plain = header.toLowerCase(Locale.ROOT);
          if (!plain.matches("[a-z0-9-]+") || RESERVED.contains(plain) || plain.startsWith("x-forwarded-")) {
            value.wrong(header + " is not a header that can be injected",
                "write a name of letters, digits and hyphens");
          } else if (!seen.add(plain)) {
            value.wrong(header + " is there twice, in another case", "keep one of them");
          } else {
            value.name().ifPresent(name -> inject.put(header, name));
          }
        });
    return InjectConfig.headers(Collections.unmodifiableMap(inject));
  }
}
