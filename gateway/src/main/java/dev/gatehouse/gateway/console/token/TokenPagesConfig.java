package dev.gatehouse.gateway.console.token;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's pages for tokens. */
@Configuration(proxyBeanMethods = false)
@Import({PeopleRegisterPages.class, TokenHolderPages.class, TokenPages.class, TokenReportPages.class, TrustPages.class})
public class TokenPagesConfig {}
