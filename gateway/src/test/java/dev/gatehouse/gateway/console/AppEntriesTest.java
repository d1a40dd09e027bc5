package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AppEntriesTest {

  /** Metadata are a partner's text: however they are written, reading them takes no longer than parsing them. */
  @Test
  @Timeout(5)
  void aHostileTextIsRefusedAtOnce() {
    String hostile = "<EntityDescriptor ".repeat(AppForm.LONGEST_METADATA / 18);
    AppForm form = new AppForm(AppKind.SAML, Map.of("metadata", hostile));
    assertThat(new AppEntries(new CanonicalMetadataCodec(), new TestTime()).entry("demo", form, "-"))
        .isEqualTo(new AppEntries.Made.Wrong("entityId", "not-metadata", ""));
  }
}
