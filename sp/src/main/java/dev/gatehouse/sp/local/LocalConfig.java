package dev.gatehouse.sp.local;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** People who log in at the gateway itself. */
@Configuration(proxyBeanMethods = false)
@Import(DirectorySignOn.class)
public class LocalConfig {}
