package dev.gatehouse.gateway.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.idp.authn.PasswordEnds;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.MovedIdpStores;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.sp.session.MovedAppStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every store of sessions or of due work that the code opens moves with the installation. */
class MovedStoresTest {

  private static final Pattern OPENED = Pattern.compile("\\bstores(?:\\.ends\\(\\))?\\s*\\.(?:<\\w+>)?(?:sessions|due)\\(\\s*([^,]+),");

  /** Names that stand in the code as constants. */
  private static final Map<String, String> CONSTANTS =
      Map.of(
          "IdpSessions.STORE", IdpSessions.STORE, "Authorization.STORE", Authorization.STORE, "PasswordEnds.STORE", PasswordEnds.STORE);

  @Test
  void allStoresOfSessionsAndWorkMove() throws IOException {
    Set<String> opened = new TreeSet<>();
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
          Matcher found = OPENED.matcher(Files.readString(file));
          // What wraps stores, or moves them, has the name from elsewhere.
          while (found.find() && !found.group(1).equals("name")) {
            String name = found.group(1).strip();
            assertThat(name.startsWith("\"") || CONSTANTS.containsKey(name)).as(name + " in " + file).isTrue();
            opened.add(name.startsWith("\"") ? name.substring(1, name.length() - 1) : CONSTANTS.getOrDefault(name, name));
          }
        }
      }
    }
    Set<String> moved =
        Stream.of(MovedAppStores.ends(), MovedIdpStores.ends(), MovedAppStores.grants(), MovedIdpStores.grants())
            .flatMap(List::stream)
            .map(StoredKind::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(moved).as("in MovedAppStores and MovedIdpStores").isEqualTo(opened);
  }
}
