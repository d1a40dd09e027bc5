package dev.gatehouse.idp.otp;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Tokens and their passcodes. */
@Configuration(proxyBeanMethods = false)
@Import({
  OfflineDays.class,
  OwnTokens.class,
  PasscodeChecks.class,
  PinHashes.class,
  StrongFactors.class,
  TokenEnrolments.class,
  TokenHelpDesk.class,
  TokenSeeds.class
})
public class OtpConfig {}
