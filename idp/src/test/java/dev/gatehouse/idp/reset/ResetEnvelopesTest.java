package dev.gatehouse.idp.reset;

import dev.gatehouse.common.envelope.RecordedEnvelope;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What the database has of a link for a new password, as it was recorded: any node opens the link. */
class ResetEnvelopesTest {

  @Test
  void aLinkIsADigestOfItsTokenAndRealm() throws IOException {
    String digest = ResetLinks.digest(RecordedEnvelope.key("reset"), "demo", "A".repeat(43));
    new RecordedEnvelope("reset-link").isKept(digest, text -> text, digest);
  }
}
