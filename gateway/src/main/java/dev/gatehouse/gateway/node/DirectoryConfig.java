package dev.gatehouse.gateway.node;

import dev.gatehouse.common.directory.LdapDirectories;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.throttle.WindowGuessThrottle;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes what logins by password need: directories, the throttle of guesses, changes of passwords. */
@Configuration(proxyBeanMethods = false)
class DirectoryConfig {

  @Bean
  LdapDirectories directories(Realms realms, MetricFamilies metrics) {
    LdapDirectories directories = new LdapDirectories(realms);
    directories.publish(metrics);
    return directories;
  }

  @Bean
  PasswordChanges passwordChanges() {
    return new PasswordChanges();
  }

  @Bean
  GuessThrottle throttle(Stores stores, InstantSource time, MetricFamilies metrics) {
    WindowGuessThrottle throttle = new WindowGuessThrottle(time, name -> stores.permits("guesses-" + name));
    throttle.publish(metrics);
    return throttle;
  }
}
