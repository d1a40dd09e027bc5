import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationProvider;
import org.springframework.security.web.authentication.preauth.RequestHeaderAuthenticationFilter;

/** Believes the Remote-User of Gatehouse: nobody else may reach this app. */
@Configuration
class SpringSecurity {

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    var provider = new PreAuthenticatedAuthenticationProvider();
    provider.setPreAuthenticatedUserDetailsService(
        token -> new User(token.getName(), "", AuthorityUtils.createAuthorityList("ROLE_USER")));
    var filter = new RequestHeaderAuthenticationFilter();
    filter.setPrincipalRequestHeader("Remote-User");
    filter.setExceptionIfHeaderMissing(false);
    filter.setAuthenticationManager(new ProviderManager(provider));
    return http.addFilter(filter).authorizeHttpRequests(requests -> requests.anyRequest().authenticated()).build();
  }
}
