package dev.gatehouse.idp.otp;

import dev.gatehouse.idp.otp.people.KnownPersonData;
import dev.gatehouse.idp.otp.people.PeopleSync;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;

/** Tokens and their passcodes. */
@Configuration(proxyBeanMethods = false)
@Import({
  AppTokens.class,
  KnownPersonData.class,
  OfflineDays.class,
  OwnTokens.class,
  PasscodeChecks.class,
  PeopleSync.class,
  PinHashes.class,
  StrongFactors.class,
  TokenEnrolments.class,
  TokenHelpDesk.class,
  TokenSeeds.class
})
public class OtpConfig {

  @Bean
  @Fallback
  PinCost pinCost() {
    return PinCost.USUAL;
  }
}
