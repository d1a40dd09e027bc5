package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.node.Node.Listener;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.util.Optional;
import java.util.Set;

/** Reads {@code admin} of {@code gatehouse.yaml}. */
final class AdminLoginYaml {

  static final Section KEYS = new Section();
  static final Key<String> REALM =
      KEYS.required(
          "realm",
          Type.matching(
              "name of a realm", ConfigurationFiles.REALM_NAME, "is not the name of a realm", "use lower-case letters, digits and hyphens"),
          "staff", "name the realm whose people may be administrators",
          "The realm whose people may be given roles of administrators; they log in to the console at its identity provider.");
  private static final Key<Origin> PUBLIC_URL =
      KEYS.key(
          "publicUrl", Type.ORIGIN, "e.g. https://gatehouse.example.org:8081",
          "The origin at which browsers reach the admin listener. Default, on loopback: `localhost` with the listener's port.");

  private AdminLoginYaml() {}

  static Optional<AdminLogin> read(YamlSection admin, Listener listener, Set<Role> roles) {
    Optional<String> realm = admin.find(REALM);
    if (realm.isPresent() && !roles.contains(Role.IDP)) {
      admin.problem(REALM, "names a realm, but this node has no identity provider", "add idp to roles, or remove admin");
    }
    Optional<Origin> origin = admin.find(PUBLIC_URL).or(() -> ofLoopback(listener));
    if (realm.isPresent() && origin.isEmpty() && !admin.has(PUBLIC_URL)) {
      admin.problem(
          REALM, "needs publicUrl: the origin of a listener on this address and port cannot be known",
          "add publicUrl, the origin at which browsers reach listeners.admin");
    }
    return realm.flatMap(name -> origin.map(url -> new AdminLogin(name, url)));
  }

  private static Optional<Origin> ofLoopback(Listener listener) {
    int port = listener.address().getPort();
    return port > 0 && listener.address().getAddress().isLoopbackAddress()
        ? Optional.of(new Origin(listener.tls().isPresent() ? "https" : "http", "localhost", port))
        : Optional.empty();
  }
}
