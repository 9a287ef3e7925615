//! Buyers as clients of the API, and what they are answered.

use domain::ids::ShowId;
use reqwest::header::HeaderMap;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value, json};

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub async fn of(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await.expect("a whole body").to_vec();
        Self {
            status,
            headers,
            text: String::from_utf8_lossy(&body).into_owned(),
            body,
        }
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("a plain header"))
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The code of the refusal that a server function answered.
    pub fn refusal(&self) -> String {
        let error = postcard::from_bytes(&self.body);
        match error.unwrap_or_else(|_| panic!("no packed error: {self:?}")) {
            app::api::ApiError::Refusal(refusal) => refusal.code().to_owned(),
            other => panic!("no refusal: {other}"),
        }
    }

    /// The code of a problem document, after checking its shape.
    pub fn problem(&self) -> String {
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{self:?}"
        );
        let problem = self.json();
        assert_eq!(problem["status"], self.status.as_u16(), "{self:?}");
        assert!(
            problem["title"].is_string() && problem["type"].is_string(),
            "{self:?}"
        );
        problem["code"].as_str().expect("a code").to_owned()
    }

    /// Fails unless this is the refusal `code` with `status`.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(
            (self.status.as_u16(), self.problem().as_str()),
            (status, code),
            "{self:?}"
        );
    }

    /// The id of the booking that was answered with 201 or 200.
    #[track_caller]
    pub fn booking(&self) -> String {
        assert!(self.status.is_success(), "{self:?}");
        self.json()["id"]
            .as_str()
            .expect("bookings have ids")
            .to_owned()
    }
}

/// A buyer with a session.
#[derive(Clone)]
pub struct Buyer {
    client: Client,
    base: String,
    pub token: String,
    pub id: String,
}

impl Buyer {
    pub async fn begin(client: Client, base: String) -> Self {
        let answer = Answer::of(client.post(format!("{base}/api/v1/sessions"))).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let session = answer.json();
        let text = |name: &str| session[name].as_str().expect("a session").to_owned();
        Self {
            client,
            base,
            token: text("token"),
            id: text("buyer_id"),
        }
    }

    /// The same buyer at another server.
    pub fn at(&self, base: &str) -> Self {
        Self {
            base: base.to_owned(),
            ..self.clone()
        }
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = method.parse().expect("a method");
        let url = format!("{}/api/v1{path}", self.base);
        self.client.request(method, url).bearer_auth(&self.token)
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request("GET", path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        Answer::of(self.request("POST", path).json(body)).await
    }

    /// Holds these seats. The body is made at once, so that the list need not outlive the call.
    pub fn hold<'a>(
        &'a self,
        show: ShowId,
        seats: &[u32],
    ) -> impl Future<Output = Answer> + use<'a> {
        let body = json!({ "show_id": show, "seats": seats });
        async move { self.post("/bookings", &body).await }
    }

    /// Holds the best seats together.
    pub async fn hold_best(&self, show: ShowId, count: u16) -> Answer {
        self.post(
            "/bookings",
            &json!({ "show_id": show, "best": { "count": count } }),
        )
        .await
    }

    /// Adds seats to a live hold.
    pub async fn add(&self, booking: &str, seats: &[u32]) -> Answer {
        self.post(
            &format!("/bookings/{booking}/seats"),
            &json!({ "seats": seats }),
        )
        .await
    }

    /// Pays by the pretend provider's token, without a browser.
    pub async fn confirm(&self, booking: &str, token: &str) -> Answer {
        let body = json!({ "method": "token", "token": token });
        self.post(&format!("/bookings/{booking}/confirm"), &body)
            .await
    }

    pub async fn cancel(&self, booking: &str) -> Answer {
        self.post(&format!("/bookings/{booking}/cancel"), &json!({}))
            .await
    }
}
