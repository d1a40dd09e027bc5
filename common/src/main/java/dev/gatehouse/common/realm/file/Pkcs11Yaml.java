package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Pkcs11Config;
import dev.gatehouse.common.node.Pkcs11Config.Pin;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code pkcs11} of {@code gatehouse.yaml}. */
final class Pkcs11Yaml {

  static final Section KEYS = new Section();
  private static final Key<Path> LIBRARY =
      KEYS.required(
          "library", Type.PATH, "/usr/lib/softhsm/libsofthsm2.so", "write the path of the PKCS#11 library that the token's vendor supplies",
          "The PKCS#11 library of the token's vendor.");
  private static final Key<String> TOKEN =
      KEYS.required("token", Type.TEXT, "gatehouse", "write the label of the token", "The label of the token.");
  private static final Key<Path> PIN_FILE =
      KEYS.key("pinFile", Type.PATH, "e.g. hsm.pin", "The file with the PIN, read at each login and not kept. Or `pinVariable`.");
  private static final Key<String> PIN_VARIABLE =
      KEYS.key(
          "pinVariable",
          Type.matching("name", "[A-Za-z_][A-Za-z0-9_]*", "is not the name of an environment variable", "write the name alone, like HSM_PIN"),
          "e.g. HSM_PIN", "The environment variable of the node with the PIN. Other programs of the same user can read it: better `pinFile`.");
  private static final Key<Integer> THREADS =
      KEYS.key("threads", Type.integer(1, 64), "4", "The calls that the token gets at the same time; 64 more wait for each.");

  private Pkcs11Yaml() {}

  static List<Pkcs11Config> read(Map<String, YamlSection> tokens) {
    Set<String> known = new HashSet<>();
    return tokens.entrySet().stream()
        .flatMap(
            entry -> {
              YamlSection section = entry.getValue();
              Optional<Path> library = section.find(LIBRARY);
              Optional<String> label = section.find(TOKEN);
              if (library.isPresent() && label.isPresent() && !known.add(library.get() + " " + label.get())) {
                section.problem(TOKEN, "is there twice with this library", "write each token once: several realms may use it");
              }
              int threads = section.get(THREADS);
              Optional<Pin> pin = pin(section);
              return library
                  .flatMap(path -> label.flatMap(own -> pin.map(p -> new Pkcs11Config(entry.getKey(), path, own, p, threads))))
                  .stream();
            })
        .toList();
  }

  private static Optional<Pin> pin(YamlSection token) {
    Optional<Pin> file = token.find(PIN_FILE).map(Pin.File::new);
    Optional<Pin> variable = token.find(PIN_VARIABLE).map(Pin.Variable::new);
    if (token.has(PIN_FILE) == token.has(PIN_VARIABLE)) {
      token.problem(
          PIN_FILE, token.has(PIN_FILE) ? "stands beside pinVariable" : "is missing", "write either pinFile: FILE or pinVariable: NAME");
    }
    return file.or(() -> variable);
  }
}
