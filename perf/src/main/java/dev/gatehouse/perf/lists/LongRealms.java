package dev.gatehouse.perf.lists;

import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Realms with long lists, one each, since a realm's file has at most 1 MB. Nothing answers at the addresses in them.
 *
 * @param idp the port of the identity provider
 * @param gateway the port of the apps
 */
record LongRealms(int entries, int idp, int gateway) {

  /** Returns the files by the names of the realms. */
  Map<String, String> files() {
    String provider =
        """
        idp:
          publicUrl: http://127.0.0.1:%d
        directory:
          urls: ["ldap://127.0.0.1:1"]
          base: dc=example,dc=org
          filter: (uid={name})
        """
            .formatted(idp);
    String apps =
        """
        sp:
          publicUrl: http://127.0.0.1:%d
          identityProvider: https://idp.example.org
        partners:
          - {entityId: "https://idp.example.org"}
        """
            .formatted(gateway);
    return Map.of(
        "partners", provider + list("partners", "  - {entityId: \"https://p%d.example.org\"}"::formatted),
        "clients", provider + list("clients", n -> "  - {clientId: c%d, redirectUris: [\"https://c%d.example.org/\"]}".formatted(n, n)),
        "demo", apps + list("routes", "  - {path: /r%d/, upstream: \"http://127.0.0.1:1\", access: public}"::formatted));
  }

  private String list(String name, IntFunction<String> line) {
    return IntStream.range(0, entries).mapToObj(line).collect(Collectors.joining("\n", name + ":\n", "\n"));
  }
}
