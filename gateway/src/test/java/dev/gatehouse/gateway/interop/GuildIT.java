package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Our OpenID provider and relying parties that others have made, at one node. Of a party that is not installed, the tests are skipped. */
@ExtendWith(WithChromium.class)
class GuildIT {

  @AutoClose private static Guild guild;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    guild = Guild.start(data);
  }

  @Nested
  class OpenIdClient extends OpenIdClientParty {
    OpenIdClient(Chromium chromium) {
      super(guild, chromium);
    }

    @BeforeAll
    static void install() throws IOException, InterruptedException {
      guild.startHall();
    }
  }

  @Nested
  class Openidc extends OpenidcParty {
    Openidc(Chromium chromium) {
      super(guild, chromium);
    }

    @BeforeAll
    static void install() throws IOException {
      guild.startLibrary();
    }
  }

  @Nested
  class SpringSecurity extends SpringSecurityParty {
    SpringSecurity(Chromium chromium) {
      super(guild, chromium);
    }

    @BeforeAll
    static void install() throws IOException {
      guild.startShop();
    }
  }
}
