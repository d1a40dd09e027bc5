package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.realm.Realms;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What follows the directory by itself while the node serves. */
@Configuration(proxyBeanMethods = false)
public class PeopleConfig {

  @Bean
  PeopleSchedule peopleSchedule(PeopleSync sync, KnownPeople known, Realms realms, InstantSource clock) {
    return new PeopleSchedule(sync, known, realms, clock).begin();
  }
}
