package dev.gatehouse.gateway.console.token;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Makes the console's pages for tokens. */
@Configuration(proxyBeanMethods = false)
@Import({TokenHolderPages.class, TokenPages.class})
public class TokenPagesConfig {}
