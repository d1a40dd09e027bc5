package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.file.FileRealms;
import dev.gatehouse.common.revision.RevisionRecorder;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that store the revisions of the configuration. */
@Configuration(proxyBeanMethods = false)
public class RevisionServices {

  @Bean
  ConfigurationControl configurationControl(FileRealms realms) {
    return new FileConfiguration(realms);
  }

  @Bean
  RevisionStore revisionStore(Database database, SealingKey key, InstantSource time) {
    return new RevisionStore(database, key, time);
  }

  @Bean
  RevisionRecorder revisionRecorder(FileRealms realms, RevisionStore store) {
    return new RevisionRecorder(realms, store);
  }
}
