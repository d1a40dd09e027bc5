package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of groups of people, and what they are unless configured. */
class GroupKeysTest {

  private static final String BASE = "  base: dc=example,dc=org\n";

  @TempDir Path path;

  @Test
  void groupsAreSearchedUnlessAnAttributeHasThem() {
    assertThat(groups("base: \"ou=groups,dc=example,dc=org\""))
        .isEqualTo(new GroupConfig("ou=groups,dc=example,dc=org", "(member={dn})", "cn", Map.of()));
    assertThat(groups("attribute: memberOf, most: 20"))
        .isEqualTo(new GroupConfig("dc=example,dc=org", "(member={dn})", "cn", Map.of(), 20, Optional.of("memberOf")));
  }

  private GroupConfig groups(String keys) {
    return ConfigurationFolder.minimal(path).demo(BASE, BASE + "  groups: {" + keys + "}\n").realm().directory().orElseThrow().groups();
  }
}
